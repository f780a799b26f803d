import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleText } from '../ecosystems/lockfiles/example.ts';
import { startBrowser } from '../support/browser.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { describeViolations, findViolations, measureOverflow } from '../support/watched-page.ts';
import { type OpenedConsole, openConsole, tokenList, tokens } from './open-console.ts';

const token = tokens.alice;
const hostile = '<img src=x onerror="complain(1)">';

describe('the check of files', () => {
  let registry: TestRegistry;
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-console-check-'));
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList }),
      startBrowser(),
    ]);
    for (const version of ['4.17.20', '4.17.21']) {
      await registry.submit({ ecosystem: 'npm', name: 'lodash', version }, { token });
    }
    const path = (action: string, version: string) =>
      `${packagePath('lodash', action)}?version=${version}`;
    await registry.post(path('/approve', '4.17.21'), {}, { token });
    await registry.post(path('/reject', '4.17.20'), { reason: `No: ${hostile}` }, { token });
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), registry?.close()]);
    rmSync(folder, { recursive: true });
  });

  /** A lockfile of npm with these versions. */
  const write = (file: string, versions: Readonly<Record<string, object>>): string => {
    const path = join(folder, file);
    const packages = Object.fromEntries(
      Object.entries(versions).map(([name, more]) => [`node_modules/${name}`, more]),
    );
    writeFileSync(path, JSON.stringify({ lockfileVersion: 3, packages: { '': {}, ...packages } }));
    return path;
  };
  const choose = async ({ page }: OpenedConsole, ...paths: readonly string[]): Promise<void> => {
    await page.waitForSelector('.drop .button');
    const [chooser] = await Promise.all([page.waitForFileChooser(), page.click('.drop .button')]);
    await chooser.accept([...paths]);
  };

  it('says that all may be used', async () => {
    const console = await openConsole(browser, registry, '#/check');

    await choose(console, write('package-lock.json', { lodash: { version: '4.17.21' } }));

    await console.waitFor('.check-result', 'All 1 may be used');
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('says of each version why it may not be used, what would do instead, and where it comes from', async () => {
    const console = await openConsole(browser, registry, '#/check');
    const text = join(folder, 'nothing.txt');
    writeFileSync(text, hostile);

    await choose(
      console,
      write('package-lock.json', {
        lodash: { version: '4.17.20' },
        fork: { version: '1.0.0', resolved: 'git+ssh://git@example.com/a/b.git#0123456' },
        [`${hostile}`]: { version: '1.0.0' },
      }),
      text,
    );

    await console.waitFor('.check-result', '4 of 4 may not be used');
    const all = await console.read('.check');
    expect(all).toContain(`Rejected: No: ${hostile}`);
    expect(all).toContain('Approved version: 4.17.21');
    expect(all).toContain('It comes from a Git repository and not from a registry');
    expect(all).toContain('Use the file name that the package manager or the SBOM tool gives');
    for (const width of [1280, 320]) {
      await console.page.setViewport({ width, height: 800 });
      expect(await measureOverflow(console.page), `${width} wide`).toBe(0);
      expect(describeViolations(await findViolations(console.page))).toEqual([]);
    }
    expect(await console.page.$$('.check img')).toEqual([]);
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('says which files cannot have everything, and nothing more once another file settles it', async () => {
    const console = await openConsole(browser, registry, '#/check');
    const put = (file: string, text: string): string => {
      const path = join(folder, file);
      writeFileSync(path, text);
      return path;
    };
    const bill = put(
      'bom.json',
      '{"bomFormat": "CycloneDX", "specVersion": "1.6", "components": [], "compositions": [{"aggregate": "incomplete"}]}',
    );
    const project = put(
      'pyproject.toml',
      '[build-system]\nrequires = ["flit_core>=3", "<img src=x>"]\n',
    );
    const lock = put('uv.lock', exampleText('uv-0.13/built/uv.lock'));
    const list = put(
      'build-requirements.txt',
      `flit-core==3.9.0 --hash=sha256:${'0a'.repeat(32)}\n`,
    );

    await choose(console, bill, project, lock);

    await console.waitFor('.check', 'bom.json: It says itself that it lacks packages, or may');
    const all = await console.read('.check');
    expect(all).toContain('uv.lock: It has no wheel of docopt@0.6.2');
    expect(all).toContain('pyproject.toml: Its build requires flit_core>=3, <img src=x>, and no');
    await choose(console, list);
    await console.waitFor('.checked-files', 'build-requirements.txt');
    await console.waitFor('.check-result', '7 of 7 may not be used');
    const settled = await console.read('.check');
    expect(settled).not.toContain('It has no wheel of');
    expect(settled).toContain('Its build requires <img src=x>, and no checked list');
    expect(settled).toContain('bom.json: It says itself');
    expect(await console.page.$$('.check img')).toEqual([]);
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('submits what nobody did, once and with what it is needed for', async () => {
    const console = await openConsole(browser, registry, '#/check', { as: 'ci' });
    await choose(
      console,
      write('package-lock.json', {
        'left-pad': { version: '1.3.0', license: 'WTFPL' },
        odd: { version: '1.0.0', license: 'x'.repeat(5000) },
      }),
    );
    await console.waitFor('.submit-missing', 'Submit 2 for review');

    await console.page.type('[name=justification]', 'For the shop');
    await console.press('Enter');

    await console.waitFor('.announcement', '2 submitted for review');
    await console.waitFor('.rows', 'pending');
    const { body } = await registry.get(`${packagePath('left-pad', '/evidence')}?version=1.3.0`);
    expect(body).toMatchObject({ justification: 'For the shop', package: { license: 'WTFPL' } });
    expect((await registry.get(packagePath('odd'))).body.status).toBe('pending');
    expect(await console.page.$('.submit-missing')).toBe(null);
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('asks who is not signed in to do so first', async () => {
    const console = await openConsole(browser, registry, '#/check');

    await choose(console, write('package-lock.json', { never: { version: '1.0.0' } }));

    await console.waitFor('.check', 'Sign in to submit them for review');
    await console.close();
  });

  it('takes what is dropped, and asks about 2,000 versions at once', async () => {
    const console = await openConsole(browser, registry, '#/check');
    const versions = Object.fromEntries(
      Array.from({ length: 2000 }, (_, at) => [`package-${at}`, { version: '1.0.0' }]),
    );
    const packages = Object.fromEntries(
      Object.entries(versions).map(([name, one]) => [`node_modules/${name}`, one]),
    );
    const text = JSON.stringify({ lockfileVersion: 3, packages: { '': {}, ...packages } });

    await console.page.waitForSelector('.drop');
    await console.page.evaluate(`
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([${JSON.stringify(text)}], 'package-lock.json'));
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('.drop').dispatchEvent(drop);
    `);

    await console.waitFor('.check-result', '2,000 of 2,000 may not be used');
    expect(await console.page.$$eval('.finding', ({ length }) => length)).toBe(100);
    await console.close();
  });
});
