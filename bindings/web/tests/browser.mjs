// Opens the page in headless Chromium.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';

/** Returns the path of Chromium, if it is found. */
export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']) {
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    } catch {
      // Try the next name.
    }
  }
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  return existsSync(mac) ? mac : undefined;
}

export const address = new URL('../dist/page/index.html', import.meta.url).href;
export const root = fileURLToPath(new URL('..', import.meta.url));

/** Disable the sandbox, because tests also run as root, and all background activity. */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Launches a browser, and collects the errors and warnings of its pages. */
export async function launch() {
  // It is headless and has an empty profile, which the driver creates and removes.
  const browser = await chromium.launch({ executablePath: findChromium(), args: [...FLAGS, '--disable-dev-shm-usage', '--font-render-hinting=none'] });
  const complaints = [];
  /** Opens the page from its file, offline, with this fragment (after `#`). */
  const open = async (link = '', options = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 960 }, colorScheme: 'light', reducedMotion: 'reduce', ...options });
    await context.setOffline(true);
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.stack));
    page.on('request', (request) => {
      if (!/^(file|blob|data):/.test(request.url())) complaints.push(`asks for ${request.url()}`);
    });
    await page.goto(address + link);
    await page.waitForSelector('html[data-ready]');
    return page;
  };
  return { browser, open, complaints };
}
