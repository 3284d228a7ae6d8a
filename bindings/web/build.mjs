// Builds everything into `dist/`: the npm package in `dist/package`, the page in `dist/page`.
//
//     npm install && npm run build
//
// Needs Rust with the target wasm32-unknown-unknown, which it adds with rustup if it is missing. With `--page`, it does
// not rebuild the wasm file.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const at = (...parts) => join(here, ...parts);
const run = (program, args, env = process.env) => execFileSync(program, args, { cwd: here, env, stdio: 'inherit' });
const TARGET = 'wasm32-unknown-unknown';
const target = process.env.CARGO_TARGET_DIR ?? at('target');
/** The maximum size of the module in bytes, compressed with Brotli, as hosts and CDNs send it. */
const LIMIT = 100_000;

if (!process.argv.includes('--page')) {
  const rustc = process.env.RUSTC ?? 'rustc';
  const library = execFileSync(rustc, ['--print', 'target-libdir', '--target', TARGET], { cwd: here, encoding: 'utf8' }).trim();
  if (!existsSync(library)) run('rustup', ['target', 'add', TARGET]);
  // The tool runs on this machine, so it is built with the usual compiler.
  const { RUSTC: _, RUSTDOC: __, CARGO_BUILD_TARGET: ___, ...usual } = process.env;
  run('cargo', ['build', '--locked', '--quiet', '--package', 'bindgen'], usual);
  // Keeps the folders of this machine out of the module. Cargo adds these flags to those of `.cargo`.
  const folders = [[at('../..'), 'setwise'], [process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'cargo']];
  const flags = JSON.stringify(folders.map(([from, to]) => `--remap-path-prefix=${from}=${to}`));
  const config = `target.${TARGET}.rustflags=${flags}`;
  run('cargo', ['build', '--locked', '--release', '--package', 'setwise-web', '--target', TARGET, '--config', config]);
  mkdirSync(at('package/src'), { recursive: true });
  const wasm = join(target, TARGET, 'release', 'setwise_web.wasm');
  run(join(target, 'debug', 'bindgen'), [wasm, at('package/src')]);
}

// The package.
const folder = at('dist/package');
rmSync(at('dist'), { recursive: true, force: true });
mkdirSync(join(folder, 'dist'), { recursive: true });
const tsc = at('node_modules/.bin/tsc');
run(tsc, ['--project', at('package/tsconfig.json'), '--outDir', join(folder, 'dist')]);
for (const name of ['setwise_web.js', 'setwise_web.d.ts']) cpSync(at('package/src', name), join(folder, 'dist', name));
cpSync(at('package/src/setwise_web_bg.wasm'), join(folder, 'dist/setwise.wasm'));
for (const name of ['package.json', 'README.md']) cpSync(at('package', name), join(folder, name));
for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) cpSync(at('../..', name), join(folder, name));

// The page. The module is part of the script, because a page opened from a file may not fetch other files.
const wasm = readFileSync(at('package/src/setwise_web_bg.wasm'));
const packed = gzipSync(wasm, { level: 9 });
run(tsc, ['--project', at('page/tsconfig.json')]);
await build({
  entryPoints: [at('page/src/main.ts')],
  outfile: at('dist/page/page.js'),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  logLevel: 'warning',
  // The default address of the module, which the page does not use.
  define: { 'import.meta.url': 'location.href' },
  plugins: [
    {
      name: 'module as text',
      setup(build) {
        build.onResolve({ filter: /^wasm:/ }, ({ path }) => ({ path, namespace: 'wasm' }));
        build.onLoad({ filter: /.*/, namespace: 'wasm' }, () => ({ contents: packed.toString('base64'), loader: 'text' }));
      },
    },
  ],
});
for (const name of ['index.html', 'style.css']) cpSync(at('page', name), at('dist/page', name));

const sent = brotliCompressSync(wasm).length;
const script = readFileSync(at('dist/page/page.js')).length;
console.log(`module ${wasm.length} bytes, ${packed.length} with gzip, ${sent} with Brotli; page.js ${script}`);
if (sent > LIMIT) throw new Error(`the module has ${sent} bytes with Brotli, but ${LIMIT} are allowed`);
writeFileSync(at('dist/sizes.json'), JSON.stringify({ wasm: wasm.length, gzip: packed.length, brotli: sent, script }));
