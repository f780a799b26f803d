import { rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { AwsHooks, FunctionCall, StackModel } from '@package-registry/local-aws';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Routes, routesByName } from '../../shared/api/all-routes.ts';
import { type OperationDocs, operationDocs } from '../../shared/api/openapi/operation-docs.ts';
import { listProblemCodes } from '../../shared/api/openapi/problems.ts';
import type { Route } from '../../shared/api/route.ts';
import { isProtected } from '../../shared/api/route-rules.ts';
import type { ProblemCode } from '../../shared/domain/errors.ts';
import { databaseOf } from '../support/database.ts';
import { makeFastFolder } from '../support/fast-folder.ts';
import { endingSoon } from '../support/function-clocks.ts';
import { TestIssuer } from '../support/issuer.ts';
import {
  type Answer,
  type SendOptions,
  type StartOptions,
  TestRegistry,
} from '../support/registry.ts';
import { jobAudience, trustIssuers } from '../support/trusted-issuers.ts';

/** An operation, and the request that the document gives as its example. */
interface Operation {
  readonly route: Route;
  readonly example: OperationDocs;
}

const changedExamples: { readonly [K in keyof Routes]?: Partial<OperationDocs> } = {
  // What is known of every license that SPDX has needs no storage; what the organisation knows does.
  compareLicenses: { path: { name: 'MIT', other: 'Acme-EULA' } },
  // The first recording of a project is a transaction.
  recordSnapshot: { path: { project: 'never-recorded' } },
  // Its package is approved at the same time.
  rejectPackage: { path: { name: 'lodash' } },
};

const operations: Operation[] = (Object.keys(routesByName) as (keyof Routes)[]).map((name) => ({
  route: routesByName[name],
  example: { ...operationDocs[name], ...changedExamples[name] },
}));

/** The operations that may refuse with a code, by their ids. */
const mayRefuseWith = (code: ProblemCode): [string, Operation][] =>
  operations
    .filter(({ route }) => listProblemCodes(route).includes(code))
    .map((operation) => [operation.route.id, operation]);

const makePath = ({ route, example }: Operation): string =>
  route.path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(example.path?.[name] ?? ''),
  );

interface Change extends SendOptions {
  readonly query?: string;
}

/** What a request cannot do without. */
const neededQueries: Readonly<Record<string, string>> = {
  'dismiss-scan': '?tool=a-scanner',
  'remove-project': '?ref=main',
};

/** Sends the example, with a change. */
const send = (
  registry: TestRegistry,
  operation: Operation,
  { query, ...options }: Change = {},
): Promise<Answer> => {
  const { route, example } = operation;
  const body = route.body && { body: example.body };
  const path = `${makePath(operation)}${query ?? neededQueries[route.id] ?? ''}`;
  return registry.send(route.method, path, { ...body, ...options });
};

const token = 'a-token-of-more-than-thirty-two-characters';

/** The versions that the examples are about, and what they dismiss, withdraw, lift and decide. */
const submitExamples = async (registry: TestRegistry): Promise<void> => {
  for (const [name, version] of [
    ['jszip', '3.10.1'],
    ['lodash', '4.17.21'],
  ]) {
    await registry.submit({ ecosystem: 'npm', name, version });
  }
  const { acceptVulnerability: accepted } = operationDocs;
  await registry.post('/api/v1/security/scans/lodash', { tool: 'a-scanner', vulnerabilities: [] });
  await registry.post(`/api/v1/vulnerabilities/${accepted.path.id}/acceptances`, accepted.body);
  await registry.post('/api/v1/freeze', operationDocs.freezeRegistry.body);
  const { recordSnapshot: recorded } = operationDocs;
  const project = encodeURIComponent(recorded.path.project);
  await registry.post(`/api/v1/projects/${project}/snapshots`, recorded.body);
  const [held] = operationDocs.listHeldRecalls.answer.held_recalls;
  const Item = { v: '#held-recalls', k: held?.record, ...held, content: 'anything' };
  const TableName = registry.stack.tables['REVIEWS_TABLE'];
  await databaseOf(registry).send(new PutCommand({ TableName, Item }));
};

const codeOf = ({ body }: Answer): unknown => body.code;

const dynamodbError = (name: string) => ({
  status: 400,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}` }),
});

const throttling = dynamodbError('ThrottlingException');

const isWrite = ({ operation }: FunctionCall): boolean =>
  operation === 'TransactWriteItems' || operation === 'PutItem';

let fault: AwsHooks = {};
/** Shared by all that need nothing else of one: each function that starts takes its time. */
let registry: TestRegistry;

beforeAll(async () => {
  const hooks: AwsHooks = {
    onRequest: (call) => fault.onRequest?.(call),
    afterForward: (call) => fault.afterForward?.(call),
  };
  registry = await TestRegistry.start({ hooks, transform: endingSoon });
  await submitExamples(registry);
});
afterAll(() => registry.close());

describe('an operation refuses', () => {
  it.each(mayRefuseWith('validation_failed').filter(([, { route }]) => !route.anyQuery))(
    'parameters that it does not know: %s',
    async (_, operation) => {
      expect(codeOf(await send(registry, operation, { query: '?nonsense=1' }))).toBe(
        'validation_failed',
      );
    },
  );

  it.each(mayRefuseWith('malformed_body'))('a body that is no JSON: %s', async (_, operation) => {
    expect(codeOf(await send(registry, operation, { body: '{' }))).toBe('malformed_body');
  });

  it.each(mayRefuseWith('body_too_large'))('a body over its limit: %s', async (_, operation) => {
    const body = JSON.stringify('x'.repeat(operation.route.body?.maxBytes ?? 65_536));

    expect(codeOf(await send(registry, operation, { body }))).toBe('body_too_large');
  });

  it.each(mayRefuseWith('request_too_large'))(
    'what is more than the gateway lets through: %s',
    async (_, operation) => {
      const body = JSON.stringify('x'.repeat(7 * 1024 * 1024));

      expect(codeOf(await send(registry, operation, { body }))).toBe('request_too_large');
    },
  );

  const aboutPackages = mayRefuseWith('package_not_found').filter(([, { route }]) =>
    route.path.includes('{name}'),
  );

  it.each(aboutPackages)('a package that is not there: %s', async (_, operation) => {
    const example = { ...operation.example, path: { name: 'nobody' } };

    expect(codeOf(await send(registry, { ...operation, example }))).toBe('package_not_found');
  });
});

// While the examples are as they were submitted.
describe('an operation says', () => {
  afterEach(() => {
    fault = {};
  });

  /** The answers to writes are lost, and whether they were done cannot be read. */
  const losing = (): AwsHooks => {
    const unsure = new Set<string>();
    return {
      onRequest: (call) =>
        unsure.has(call.functionId) && !isWrite(call)
          ? dynamodbError('ValidationException')
          : undefined,
      afterForward: (call) => {
        if (!isWrite(call)) return undefined;
        unsure.add(call.functionId);
        return 'drop';
      },
    };
  };
  const faults: [ProblemCode, AwsHooks][] = [
    [
      'storage_unavailable',
      { onRequest: ({ service }) => (service === 'dynamodb' ? throttling : undefined) },
    ],
    ['write_contention', { onRequest: (call) => (isWrite(call) ? throttling : undefined) }],
  ];
  const expectFrom = async (asked: TestRegistry, code: ProblemCode): Promise<void> => {
    const answers = await Promise.all(
      mayRefuseWith(code).map(async ([id, operation]) => [
        id,
        codeOf(await send(asked, operation)),
      ]),
    );
    expect(answers).toEqual(mayRefuseWith(code).map(([id]) => [id, code]));
  };

  it.each(faults)('that the storage does not do its part, by %s', async (code, planted) => {
    fault = planted;

    await expectFrom(registry, code);
  });

  it('that nobody knows whether it was done, by outcome_unknown', async () => {
    const hooks: AwsHooks = {};
    const own = await TestRegistry.start({ hooks, transform: endingSoon });
    await submitExamples(own);
    Object.assign(hooks, losing());

    await expectFrom(own, 'outcome_unknown');

    await own.close();
  });
});

describe('an operation refuses a key', () => {
  it.each(mayRefuseWith('idempotency_key_reused'))(
    'that came with another request, and gives the first answer to the same: %s',
    async (id, operation) => {
      const headers = { 'Idempotency-Key': id };
      const first = await send(registry, operation, { headers });
      const again = await send(registry, operation, { headers });

      expect([again.status, again.body]).toEqual([first.status, first.body]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      const other = operation.route.body
        ? { body: JSON.stringify(operation.example.body, null, 2) }
        : { query: '?ref=another' };
      expect(codeOf(await send(registry, operation, { headers, ...other }))).toBe(
        'idempotency_key_reused',
      );
    },
  );
});

describe('a body over 10 MB', () => {
  const sendBytes = (url: string, method: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const bytes = Buffer.alloc(10 * 1024 * 1024 + 1, 'x');
      // Node.js says no length of the body of a DELETE by itself.
      const headers = { 'Content-Type': 'application/json', 'Content-Length': bytes.length };
      const sent = httpRequest(url, { method, headers }, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode));
      });
      sent.on('error', reject);
      sent.end(bytes);
    });

  it("gets the gateway's own answer, whatever it is sent to", async () => {
    const registry = await TestRegistry.start();

    for (const [, operation] of mayRefuseWith('request_too_large')) {
      const url = `${registry.url}${makePath(operation)}`;
      expect(await sendBytes(url, operation.route.method)).toBe(413);
    }
    await registry.close();
  });
});

describe('two requests at the same time', () => {
  it('do not both decide on a license', async () => {
    const hooks: AwsHooks = {};
    const registry = await TestRegistry.start({ hooks });
    const path = '/api/v1/licenses/EPL-2.0';
    let overtaken: Promise<Answer> | undefined;
    hooks.onRequest = async (call) => {
      if (!isWrite(call) || overtaken) return;
      overtaken = registry.send('PUT', path, { body: { status: 'rejected' } });
      await overtaken;
    };

    const late = await registry.send('PUT', path, { body: { status: 'approved' } });

    expect((await overtaken)?.status).toBe(200);
    expect(codeOf(late)).toBe('license_conflict');
    expect((await registry.get(path)).body.status).toBe('rejected');
    await registry.close();
  });
});

describe('an operation that needs a token refuses', () => {
  type Refusal = readonly [ProblemCode, SendOptions];
  const refused: [StartOptions, Refusal[]][] = [
    [
      { tokens: token },
      [
        ['missing_token', {}],
        ['invalid_token', { token: 'another' }],
      ],
    ],
    [{ tokens: '{}' }, [['tokens_unavailable', { token }]]],
  ];

  it.each(refused)('where there are %j: %j', async (options, refusals) => {
    const registry = await TestRegistry.start(options);

    for (const [code, sent] of refusals) {
      for (const [, operation] of mayRefuseWith(code)) {
        expect(codeOf(await send(registry, operation, sent))).toBe(code);
      }
    }
    await registry.close();
  });

  it('an ID token without a rule for its holder, or without the keys of its issuer', async () => {
    const [known, silent] = await Promise.all([TestIssuer.start(), TestIssuer.start()]);
    silent.answers['/keys'] = 503;
    const registry = await TestRegistry.start({
      tokens: token,
      issuers: trustIssuers(silent.url, known.url),
    });
    const claims = { aud: jobAudience, repository: 'acme/fork', repository_id: '8' };
    const sent: [ProblemCode, string][] = [
      ['holder_refused', await known.sign(claims)],
      ['issuer_unavailable', await silent.sign(claims)],
    ];

    for (const [code, idToken] of sent) {
      const headers = { Authorization: `Bearer ${idToken}` };
      for (const [, operation] of mayRefuseWith(code)) {
        expect(codeOf(await send(registry, operation, { headers }))).toBe(code);
      }
    }
    await Promise.all([registry.close(), known.close(), silent.close()]);
  });

  it('nobody else: all others are public', () => {
    const expected = operations
      .filter(({ route }) => isProtected(route))
      .map(({ route }) => route.id);

    expect(mayRefuseWith('missing_token').map(([id]) => id)).toEqual(expected);
  });
});

describe('the gateway answers in the place of an operation', () => {
  const throttled = (model: StackModel): StackModel => ({
    ...model,
    api: {
      ...model.api,
      routes: model.api.routes.map((route) => ({
        ...route,
        throttle: { ratePerSecond: 0.001, burst: 0 },
      })),
    },
  });
  const running =
    (codeDirectory: string) =>
    (model: StackModel): StackModel => ({
      ...model,
      functions: Object.fromEntries(
        Object.entries(model.functions).map(([id, lambda]) => [id, { ...lambda, codeDirectory }]),
      ),
    });
  let silent: string;

  beforeAll(() => {
    silent = makeFastFolder('silent-');
    writeFileSync(join(silent, 'index.mjs'), 'export const handler = () => new Promise(() => {});');
  });
  afterAll(() => rmSync(silent, { recursive: true }));

  const ways: [ProblemCode, () => StartOptions][] = [
    ['throttled', () => ({ transform: throttled })],
    ['timeout', () => ({ integrationTimeoutMs: 1, transform: running(silent) })],
    ['internal_error', () => ({ transform: running('/nowhere') })],
  ];

  it.each(ways)('by %s', async (code, makeOptions) => {
    const registry = await TestRegistry.start(makeOptions());

    for (const [, operation] of mayRefuseWith(code)) {
      expect(codeOf(await send(registry, operation))).toBe(code);
    }
    await registry.close();
  });
});
