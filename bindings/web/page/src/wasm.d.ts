/** The module, compressed with gzip, as base64. `build.mjs` generates it. */
declare module 'wasm:setwise' {
  const bytes: string;
  export default bytes;
}
