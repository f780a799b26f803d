import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { type InstalledPackage, installPackage } from '../support/installed-package.ts';
import { TestRegistry } from '../support/registry.ts';
import { problem, startScripted } from '../support/scripted-server.ts';

let installed: InstalledPackage;
let registry: TestRegistry;
beforeAll(async () => {
  [installed, registry] = await Promise.all([
    installPackage(),
    TestRegistry.start({ licenses: true }),
  ]);
});
afterAll(async () => {
  installed.remove();
  await registry.close();
});

describe('the package', () => {
  it('contains both bundles, the types, the README and the licenses', () => {
    expect(Object.keys(installed.files).sort()).toEqual([
      'LICENSE',
      'README.md',
      'client.d.ts',
      'client.mjs',
      'package.json',
      'registry.mjs',
      'third-party-licenses.txt',
    ]);
  });

  it('has no dependencies', () => {
    const modules = join(installed.folder, 'node_modules');
    const [scope = '', name] = packageJson.name.split('/');
    const texts = Object.values(installed.files);

    expect(readdirSync(modules).filter((one) => !one.startsWith('.'))).toEqual([scope]);
    expect(readdirSync(join(modules, scope))).toEqual([name]);
    expect(texts.join('')).not.toMatch(/aws-cdk|@aws-sdk|node_modules\/[\w@]/);
  });

  it('is small: at most 880 kB to fetch, and 2.9 MB installed', () => {
    const sizes = readdirSync(installed.home).map(
      (name) => statSync(join(installed.home, name)).size,
    );

    expect(statSync(installed.tarball).size).toBeLessThan(880_000);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(2_900_000);
  });

  it('has the license of the MCP SDK, without unused dependencies of the SDK', () => {
    const { 'third-party-licenses.txt': licenses = '', 'registry.mjs': program = '' } =
      installed.files;

    expect(licenses).toMatch(/^@modelcontextprotocol\/server [0-9.]+: Apache-2\.0$/m);
    expect(program).not.toContain('fast-uri');
    expect(program).not.toContain('strictTypes');
  });

  it('has a page whose links work, also outside the project', () => {
    const page = installed.files['README.md'] ?? '';

    expect(page).toContain('# The command line and the client');
    expect([...page.matchAll(/\]\((?!#|https:)[^)]*\)/g)].map(([link]) => link)).toEqual([]);
  });

  it('has the known codes of errors for editors, beside any other text', () => {
    const types = installed.files['client.d.ts'] ?? '';

    expect(types).toMatch(
      /^ +code: "validation_failed" \| .* \| "timeout" \| \(string & \{\}\);$/m,
    );
  });

  it.each(['zod', 'undici', 'commander'])('contains the license of the bundled %s', (name) => {
    const licenses = installed.files['third-party-licenses.txt'] ?? '';

    const section = licenses.split(/^-+$/m).find((part) => part.trimStart().startsWith(`${name} `));
    expect(section).toMatch(/^\s*\S+ [0-9.]+: MIT\n/);
    expect(section).toContain('Permission is hereby granted');
  });
});

describe('the installed command', () => {
  it('shows its version, which is that of the project', async () => {
    const { code, stdout } = await installed.runRegistry('--version');

    expect({ code, stdout }).toEqual({ code: 0, stdout: `${packageJson.version}\n` });
  });

  it('shows its help', async () => {
    const { code, stdout } = await installed.runRegistry('--help');

    expect(code).toBe(0);
    expect(stdout).toContain('Usage: registry');
  });

  it('sends requests to a registry', async () => {
    const { code, stdout } = await installed.runRegistry('status', '--url', registry.url, '--json');

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ url: registry.url, authentication: 'disabled' });
  });
});

/** Checks all declarations too, with the standard library only. */
const settings = (compilerOptions: object) => ({
  compilerOptions: { strict: true, skipLibCheck: false, types: [], ...compilerOptions },
});

/** Code of another program. */
const program = `
import { createClient, RequestError } from '@package-registry/registry/client';

declare const process: { readonly argv: readonly string[] };

const registry = createClient({ url: process.argv[2] ?? '', retries: 0 });
try {
  const { packages } = await registry.listPackages({ query: { status: 'pending', limit: 10 } });
  const names: string[] = packages.map(({ name }) => name);
  console.log(names);
} catch (error) {
  if (error instanceof RequestError) console.log(error.status, error.code, error.requestId);
}

export const refused = () => [
  // @ts-expect-error there is no such status
  registry.listPackages({ query: { status: 'open' } }),
  // @ts-expect-error the name is missing
  registry.showPackage(),
  // @ts-expect-error the body is missing
  registry.submitPackage({}),
  // @ts-expect-error an approval has no such field
  registry.approvePackage({ path: { name: 'x' }, body: { rejected_by: 'y' } }),
];
`;

describe('the client', () => {
  it('is imported by a program in JavaScript', async () => {
    const source = `
      import { createClient } from '@package-registry/registry/client';
      const { name } = await createClient({ url: '${registry.url}' }).showService();
      console.log(name);
    `;

    const ended = await installed.run(process.execPath, '--input-type=module', '-e', source);

    expect(ended).toEqual({ code: 0, stdout: 'package-registry\n', stderr: '' });
  });

  it('lets another program call the registry, checked by its types', async () => {
    const server = await startScripted(problem(404, 'package_not_found'));

    const compiled = installed.compile('nodenext', program, settings({ module: 'nodenext' }));
    const { stdout } = await installed.run(process.execPath, compiled.file, server.url);

    await server.close();
    expect(compiled.complaints).toBe('');
    expect(stdout).toBe('404 package_not_found id-1\n');
  });

  it('has types for programs that a bundler resolves', () => {
    const options = { module: 'preserve', moduleResolution: 'bundler', noEmit: true };

    const { complaints } = installed.compile('bundler', program, settings(options));

    expect(complaints).toBe('');
  });

  it('has the types of the routes', () => {
    const source = `
      import type * as ours from '${resolve('shared/api/client/client.ts')}';
      import type * as theirs from '@package-registry/registry/client';

      type Same<A, B> = [A, B] extends [B, A] ? true : false;
      type SameOperations = {
        [K in keyof ours.RegistryClient]: Same<ours.RegistryClient[K], theirs.RegistryClient[K]>;
      };
      declare const same: SameOperations;

      export const operations: Record<keyof theirs.RegistryClient, true> = same;
      export const client: Same<ours.RegistryClient, theirs.RegistryClient> = true;
      export const error: Same<ours.RequestError, theirs.RequestError> = true;
      export const options: Same<ours.ClientOptions, theirs.ClientOptions> = true;
      // @ts-expect-error these two differ
      export const others: Same<ours.RegistryClient['showScan'], theirs.RegistryClient['showPackage']> = true;
    `;

    const { complaints } = installed.compile('same', source, {
      extends: resolve('tsconfig.json'),
      compilerOptions: { typeRoots: [resolve('node_modules/@types')] },
    });

    expect(complaints).toBe('');
  });
});

describe('its README', () => {
  const readme = (): string => installed.files['README.md'] ?? '';
  const readBlocks = (language: string, markdown: string): string[] => {
    const blocks = markdown.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'));
    return [...blocks].map(([, block = '']) =>
      block.replaceAll('http://127.0.0.1:3000', registry.url),
    );
  };

  it('has command blocks that run when pasted, like docs/write-commands.md', async () => {
    const pages = [readme(), readFileSync('docs/write-commands.md', 'utf8')];
    const { code, stdout, stderr } = await installed.run(
      'bash',
      '-euc',
      pages.flatMap((page) => readBlocks('sh', page)).join('\n'),
    );

    expect(stderr).not.toContain('error:');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Status +rejected\nLicense +WTFPL$/m);
  });

  it('has a program that compiles and runs', async () => {
    await registry.submit({ ecosystem: 'npm', name: 'lodash', version: '4.18.1', license: 'MIT' });

    const [source = ''] = readBlocks('ts', readme());
    const compiled = installed.compile('readme', source, settings({ module: 'nodenext' }));
    const { stdout } = await installed.run(process.execPath, compiled.file);

    expect(compiled.complaints).toBe('');
    expect(stdout).toMatch(/^(?:pending|approved) MIT\n$/);
  });
});
