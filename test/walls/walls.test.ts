import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Breach, findBreaches } from './find-breaches.ts';
import { rooms } from './rooms.ts';

const folders = ['shared', 'functions', 'infra', 'cli', 'console', 'web', 'local-aws'];

describe('the walls between the rooms', () => {
  it('hold: no import but those that are allowed, and no circle', async () => {
    expect(await findBreaches(process.cwd(), folders)).toEqual([]);
  });

  it('let no arrow go upwards: what a room may import never leads back to it', () => {
    const leadsTo = (name: string, seen: readonly string[]): string[] => {
      if (seen.includes(name)) return [[...seen, name].join(' → ')];
      return (rooms[name]?.rooms ?? []).flatMap((next) => leadsTo(next, [...seen, name]));
    };

    expect(Object.keys(rooms).flatMap((name) => leadsTo(name, []))).toEqual([]);
  });
});

/** A file of a room, and an import that has no business there. */
const planted: readonly [file: string, specifier: string, breach: string][] = [
  ['shared/domain/planted.ts', '../store/read.ts', 'shared/store/read.ts'],
  ['shared/domain/planted-fs.ts', 'node:fs', 'fs'],
  ['shared/domain/planted-zod.ts', 'zod', 'zod'],
  ['shared/schemas/planted.ts', '../../cli/run.ts', 'cli/run.ts'],
  ['shared/config/planted.ts', '../store/read.ts', 'shared/store/read.ts'],
  ['shared/store/planted.ts', '../review/decide-package.ts', 'shared/review/decide-package.ts'],
  ['shared/store/planted-http.ts', '../http/problem.ts', 'shared/http/problem.ts'],
  ['shared/auth/planted.ts', '../store/read.ts', 'shared/store/read.ts'],
  ['shared/asking/planted.ts', '../store/read.ts', 'shared/store/read.ts'],
  ['shared/manifests/planted.ts', '../store/read.ts', 'shared/store/read.ts'],
  ['shared/dependencies/planted.ts', '../store/read.ts', 'shared/store/read.ts'],
  ['shared/dependencies/planted-fs.ts', 'node:fs', 'fs'],
  ['shared/checking/planted.ts', '../store/read.ts', 'shared/store/read.ts'],
  ['shared/osv/planted.ts', '../store/read.ts', 'shared/store/read.ts'],
  ['shared/origins/planted.ts', '../store/read.ts', 'shared/store/read.ts'],
  ['shared/facts/planted.ts', '../http/problem.ts', 'shared/http/problem.ts'],
  ['shared/scan-reports/planted.ts', '../store/read.ts', 'shared/store/read.ts'],
  ['shared/licensing/planted.ts', '../review/decide-package.ts', 'shared/review/decide-package.ts'],
  ['shared/scanning/planted.ts', '../http/problem.ts', 'shared/http/problem.ts'],
  ['shared/vulnerabilities/planted.ts', '../http/problem.ts', 'shared/http/problem.ts'],
  ['shared/review/planted.ts', '@aws-sdk/lib-dynamodb', '@aws-sdk/lib-dynamodb'],
  ['shared/http/planted.ts', '../review/decide-package.ts', 'shared/review/decide-package.ts'],
  ['shared/worker/planted.ts', 'aws-cdk-lib', 'aws-cdk-lib'],
  ['shared/worker/planted-infra.ts', '../../infra/config.ts', 'infra/config.ts'],
  ['shared/client/planted.ts', '../store/read.ts', 'shared/store/read.ts'],
  ['shared/client/planted-fs.ts', 'node:fs', 'fs'],
  ['shared/unknown/planted.ts', '../domain/status.ts', 'shared/domain/status.ts'],
  ['functions/planted.ts', '@aws-sdk/client-dynamodb', '@aws-sdk/client-dynamodb'],
  ['functions/planted-middy.ts', '@middy/core', '@middy/core'],
  ['infra/constructs/planted.ts', '../local/flags.ts', 'infra/local/flags.ts'],
  ['infra/local/planted.ts', '../constructs/rest-api.ts', 'infra/constructs/rest-api.ts'],
  ['infra/local/planted-inside.ts', '../../functions/show-scan.ts', 'functions/show-scan.ts'],
  ['infra/local/planted-deep.ts', '../../local-aws/src/loopback.ts', 'local-aws/src/loopback.ts'],
  ['local-aws/src/planted.ts', '../../shared/domain/status.ts', 'shared/domain/status.ts'],
  ['cli/planted.ts', '../shared/store/read.ts', 'shared/store/read.ts'],
  ['cli/input/planted.ts', '../route/words.ts', 'cli/route/words.ts'],
  ['cli/output/planted.ts', '../session/session.ts', 'cli/session/session.ts'],
  ['cli/completion/planted.ts', '../route/words.ts', 'cli/route/words.ts'],
  ['cli/manifest/planted.ts', '../route/words.ts', 'cli/route/words.ts'],
  ['cli/session/planted.ts', '../route/words.ts', 'cli/route/words.ts'],
  ['cli/failure/planted.ts', '../review/review.ts', 'cli/review/review.ts'],
  ['cli/many/planted.ts', '../route/words.ts', 'cli/route/words.ts'],
  ['cli/check/planted.ts', '../route/words.ts', 'cli/route/words.ts'],
  ['cli/mcp/planted.ts', '../review/review.ts', 'cli/review/review.ts'],
  ['cli/route/planted.ts', '../review/review.ts', 'cli/review/review.ts'],
  ['cli/review/planted.ts', '../../shared/store/read.ts', 'shared/store/read.ts'],
  ['cli/undo/planted.ts', '../route/words.ts', 'cli/route/words.ts'],
  ['cli/vex/planted.ts', '../route/words.ts', 'cli/route/words.ts'],
  ['shared/indexing/planted.ts', '../http/page.ts', 'shared/http/page.ts'],
  ['shared/gate/planted.ts', '../http/page.ts', 'shared/http/page.ts'],
  ['shared/queues/planted.ts', '../store/read.ts', 'shared/store/read.ts'],
  ['shared/forwarding/planted.ts', '../store/read.ts', 'shared/store/read.ts'],
  ['shared/openapi/planted.ts', '../store/read.ts', 'shared/store/read.ts'],
  ['console/planted.ts', '../shared/store/read.ts', 'shared/store/read.ts'],
  ['console/parts/planted.tsx', 'zod', 'zod'],
  ['console/files.build.ts', '../local-aws/src/json.ts', 'local-aws/src/json.ts'],
  ['web/planted.ts', '../shared/domain/status.ts', 'shared/domain/status.ts'],
  ['infra/tokens/planted.ts', '../../shared/store/read.ts', 'shared/store/read.ts'],
  ['infra/planted.ts', '../shared/store/read.ts', 'shared/store/read.ts'],
  ['cli/release/planted.ts', '../../shared/store/read.ts', 'shared/store/read.ts'],
  ['shared/batch-answer.ts', '../local-aws/src/json.ts', 'local-aws/src/json.ts'],
  ['shared/deadline.ts', '../local-aws/src/json.ts', 'local-aws/src/json.ts'],
  ['shared/http-answer.ts', '../local-aws/src/json.ts', 'local-aws/src/json.ts'],
  ['shared/log.ts', '../local-aws/src/json.ts', 'local-aws/src/json.ts'],
  ['shared/paths.ts', '../local-aws/src/json.ts', 'local-aws/src/json.ts'],
  ['shared/in-parallel.ts', '../local-aws/src/json.ts', 'local-aws/src/json.ts'],
  ['cli/approved/planted.ts', '../review/review.ts', 'cli/review/review.ts'],
  ['shared/events/planted.ts', '../review/decide-package.ts', 'shared/review/decide-package.ts'],
  ['shared/retry.ts', '../local-aws/src/json.ts', 'local-aws/src/json.ts'],
  ['shared/resources.ts', '../local-aws/src/json.ts', 'local-aws/src/json.ts'],
  ['shared/routes.ts', '../local-aws/src/json.ts', 'local-aws/src/json.ts'],
  ['shared/pages.ts', '../local-aws/src/json.ts', 'local-aws/src/json.ts'],
  ['shared/workers.ts', '../local-aws/src/json.ts', 'local-aws/src/json.ts'],
  ['shared/functions.ts', '../local-aws/src/json.ts', 'local-aws/src/json.ts'],
  ['infra/constructs/build-modules.ts', '../../local-aws/src/json.ts', 'local-aws/src/json.ts'],
  ['infra/config.ts', '../local-aws/src/json.ts', 'local-aws/src/json.ts'],
  ['cli/program.build.ts', '../local-aws/src/json.ts', 'local-aws/src/json.ts'],
];

describe('a wall', () => {
  const copy = mkdtempSync(join(tmpdir(), 'walls-test-'));
  let found: Breach[];

  beforeAll(async () => {
    for (const folder of folders) {
      cpSync(folder, join(copy, folder), {
        recursive: true,
        filter: (source) => !/node_modules/.test(source),
      });
    }
    for (const file of ['package.json', 'cdk.json']) cpSync(file, join(copy, file));
    symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
    for (const [file, specifier] of planted) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      // A type would be enough to tie two rooms together.
      appendFileSync(join(copy, file), `import type * as planted from '${specifier}';\n`);
    }
    writeFileSync(join(copy, 'shared/domain/circle-a.ts'), "import './circle-b.ts';\n");
    writeFileSync(join(copy, 'shared/domain/circle-b.ts'), "import './circle-a.ts';\n");
    found = await findBreaches(copy, folders);
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  it.each(planted)('refuses %s to import %s', (from, _, to) => {
    expect(found).toContainEqual({ from, to, kind: 'import' });
  });

  it.each(Object.keys(rooms).filter((name) => name !== 'manifest'))('is held for %s', (name) => {
    expect(planted.filter(([file]) => rooms[name]?.files.test(file))).not.toEqual([]);
  });

  it('refuses a circle', () => {
    expect(found).toContainEqual({
      from: 'shared/domain/circle-a.ts',
      to: 'shared/domain/circle-b.ts',
      kind: 'circle',
    });
  });

  it('finds nothing but what was planted', () => {
    const known = new Set(planted.map(([file]) => file));

    const others = found.filter(({ from }) => !known.has(from) && !from.includes('circle-'));

    expect(others).toEqual([]);
  });
});
