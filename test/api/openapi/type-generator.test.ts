import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestRegistry } from '../../support/registry.ts';

const program = `
import type { components, operations } from './types.js';

declare const process: { readonly argv: readonly string[] };

type Submission = components['schemas']['Submission'];
type Submitted = operations['submit-package']['responses'][201]['content']['application/json'];
type Listed = operations['list-packages']['responses'][200]['content']['application/json'];
type Missing = operations['show-package']['responses'][404]['content']['application/problem+json'];
type Query = NonNullable<operations['list-packages']['parameters']['query']>;

const packages = \`\${process.argv[2]}/api/v1/packages\`;
const submission: Submission = { ecosystem: 'npm', name: 'left-pad', version: '1.3.0' };
const sent = await fetch(packages, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(submission),
});
const submitted: Submitted = await sent.json();
console.log(sent.status, submitted.status, submitted.submitted_at.endsWith('Z'));

const query: Query = { status: 'pending', view: 'full' };
const answer = await fetch(\`\${packages}?status=\${query.status}&view=\${query.view}\`);
const listed: Listed = await answer.json();
console.log(listed.packages.map(({ name, issues }) => [name, issues?.[0]?.blocks]).join());

const missing = await fetch(\`\${packages}/nothing-here\`);
const problem: Missing = await missing.json();
console.log(problem.status, problem.code, typeof problem.detail);

export const decisions: components['schemas']['PackageDecision'][] = [
  { action: 'approve', ecosystem: 'npm', name: 'x', version: '1.0.0', override: ['yanked'] },
  // @ts-expect-error a rejection overrides nothing
  { action: 'reject', ecosystem: 'npm', name: 'x', version: '1.0.0', override: ['yanked'] },
];
export const submissions: Submission[] = [
  // @ts-expect-error there is no such ecosystem
  { ecosystem: 'cargo', name: 'x', version: '1.0.0' },
  // @ts-expect-error the version is missing
  { ecosystem: 'npm', name: 'x' },
];
`;

const settings = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'dom'],
    module: 'nodenext',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
  },
};

let folder: string;
let registry: TestRegistry;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'generated-types-'));
  registry = await TestRegistry.start();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await registry.close();
});

/** Writes `types.ts` into the folder, and returns all that the generator says. */
const generateTypes = (): string => {
  const args = ['run', '--silent', 'generate', '--', '--output', join(folder, 'types.ts')];
  const cwd = resolve('test/support/type-generator');
  const { stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' });
  return `${stdout}${stderr}`;
};

const compile = (source: string): string => {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder, 'program.ts'), source);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const args = [resolve('node_modules/typescript/bin/tsc'), '--project', folder];
  return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout;
};

it('lets a program call the registry by the types that openapi-typescript writes', async () => {
  const said = generateTypes();
  const complaints = compile(program);
  const child = spawn(process.execPath, [join(folder, 'program.js'), registry.url]);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);

  expect(said).not.toMatch(/warn|error|⚠|✘/i);
  expect(complaints).toBe('');
  expect(stderr).toBe('');
  expect(stdout).toBe('201 pending true\nleft-pad,false\n404 package_not_found string\n');
});
