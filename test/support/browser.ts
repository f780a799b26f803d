import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium, { inflate } from '@sparticuz/chromium';
import puppeteer, { type Browser } from 'puppeteer-core';
import { hangMs, testHangMs } from './hang.ts';

const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin');

/** The unpacked browser is reused until the next installation of the packages. */
const cache = resolve('node_modules/.cache/chromium');

/** The package unpacks into the folder for temporary files. */
const unpackInto = async (folder: string): Promise<void> => {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    await Promise.all([chromium.executablePath(packed), inflate(join(packed, 'al2023.tar.br'))]);
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
};

/** Unpacks into a temporary folder first, so that an interrupted run leaves no broken browser. */
const unpack = async (): Promise<void> => {
  if (existsSync(cache)) return;
  mkdirSync(dirname(cache), { recursive: true });
  const aside = mkdtempSync(`${cache}-`);
  await unpackInto(aside);
  try {
    renameSync(aside, cache);
  } catch (error) {
    rmSync(aside, { recursive: true });
    // Another process was faster.
    if (!existsSync(cache)) throw error;
  }
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The libraries that the browser needs and the system does not have. */
const listMissing = (executable: string, env: Environment): string[] => {
  const { stdout, error } = spawnSync('ldd', [executable], { env, encoding: 'utf8' });
  if (error) throw new Error(`The browser's libraries cannot be listed: ${error.message}`);
  return [...stdout.matchAll(/(\S+) => not found/g)].map(([, library = '']) => library);
};

/**
 * Starts a browser, from the packages alone.
 * @throws {Error} that names the libraries that neither the system nor the package has
 */
export const startBrowser = async (): Promise<Browser> => {
  await unpack();
  const executable = join(cache, 'chromium');
  const shipped = { ...process.env, LD_LIBRARY_PATH: join(cache, 'al2023', 'lib') };
  const env = listMissing(executable, process.env).length > 0 ? shipped : process.env;
  const missing = listMissing(executable, env);
  if (missing.length > 0) {
    throw new Error(`The browser cannot start: install ${missing.join(', ')}`);
  }
  // Its sandbox refuses to work for root, as whom tests run in containers.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return puppeteer.launch({
    ...{ executablePath: executable, headless: 'shell', env, args },
    ...{ timeout: hangMs, protocolTimeout: testHangMs },
  });
};
