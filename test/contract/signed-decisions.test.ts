import { createHash, createPublicKey, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { AwsHooks, FunctionCall } from '@package-registry/local-aws';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { databaseOf } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { FunctionClock, skippingPauses } from '../support/function-clocks.ts';
import { functionOf } from '../support/functions.ts';
import { type OriginServer, serveNpmVersion, startOriginServer } from '../support/origin-server.ts';
import { listRecord, serveEmptyFeed } from '../support/recall-feed.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { runRecallWorker } from './recall-registry.ts';

interface Envelope {
  readonly payloadType: string;
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

let origin: OriginServer;
let registry: TestRegistry;
const hooks: AwsHooks = {};
beforeAll(async () => {
  origin = await startOriginServer();
  serveEmptyFeed(origin);
  registry = await TestRegistry.start({
    ...{ originUrl: origin.url, signDecisions: true, events: true, hooks },
    ...{ clock: new FunctionClock(), transform: skippingPauses },
  });
});
afterAll(async () => {
  await registry.close();
  await origin.close();
});
afterEach(() => {
  hooks.onRequest = undefined;
});

const tarballOf = (name: string): Buffer => Buffer.from(`the tarball of ${name}`);

/** Publishes version 1.0.0 of a package at the npm origin. */
const publish = (name: string): void => {
  const integrity = createHash('sha512').update(tarballOf(name)).digest('base64');
  const dist = { tarball: `${origin.url}/npm/${name}.tgz`, integrity: `sha512-${integrity}` };
  serveNpmVersion(origin, name, dist);
};

let count = 0;
/** Submits a version with upstream metadata, and waits for the metadata. Returns its name. */
const submitted = async (): Promise<string> => {
  count += 1;
  const name = `subject-${count}`;
  publish(name);
  await registry.submit({ ecosystem: 'npm', name, version: '1.0.0', license: 'MIT' });
  await eventually(async () => {
    const { body } = await registry.get(packagePath(name, '/evidence'));
    expect(body.facts).not.toBeNull();
  });
  return name;
};

const decide = async (name: string, action: 'approve' | 'reject', body: object = {}) => {
  const { status } = await registry.post(packagePath(name, `/${action}`), body);
  expect(status).toBe(200);
};

const show = (name: string) => registry.get(packagePath(name, '/attestation'));

/** Waits until the decision in force is signed, and returns the envelope. */
const awaitAttestation = (name: string): Promise<Envelope> =>
  eventually(async () => {
    const { status, body } = await show(name);
    expect(status).toBe(200);
    return body;
  });

const toStatement = ({ payload }: Envelope) =>
  JSON.parse(Buffer.from(payload, 'base64').toString());

const findDecision = async (name: string) => toStatement(await awaitAttestation(name)).predicate;

/** Returns the stream's record of the last decision on a package. */
const readLastRecord = async (name: string) => {
  const { Items = [] } = await databaseOf(registry).send(
    new QueryCommand({
      TableName: registry.stack.tables['DECISIONS_TABLE'],
      KeyConditionExpression: 'package_key = :package',
      ExpressionAttributeValues: { ':package': `npm#${name}` },
      ScanIndexForward: false,
      Limit: 1,
    }),
  );
  return { dynamodb: { SequenceNumber: name, NewImage: marshall({ ...Items[0] }) } };
};

const invokeWorker = (event: unknown, { stack } = registry) =>
  stack.invoke(functionOf(stack.model, 'sign-decisions').id, event);

describe('the attestation of a decision', () => {
  it('is an in-toto statement about the pinned files, which the key of GET /keys verifies', async () => {
    const name = await submitted();
    await decide(name, 'approve', { approved_by: 'ana@example.com', expires_in_days: 30 });

    const envelope = await awaitAttestation(name);

    const { body, headers } = await registry.get('/keys');
    const [key] = body.keys;
    const [signature] = envelope.signatures;
    const payload = Buffer.from(envelope.payload, 'base64');
    const type = 'application/vnd.in-toto+json';
    const signed = `DSSEv1 ${type.length} ${type} ${payload.length} ${payload}`;
    const publicKey = createPublicKey({ key, format: 'jwk' });
    expect(envelope.payloadType).toBe(type);
    expect(signature?.keyid).toBe(key.kid);
    expect(
      verify('sha256', Buffer.from(signed), publicKey, Buffer.from(signature?.sig ?? '', 'base64')),
    ).toBe(true);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    const history = await registry.get(packagePath(name, '/history'));
    const [entry] = history.body.history;
    expect(toStatement(envelope)).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        {
          name: `pkg:npm/${name}@1.0.0`,
          digest: { sha512: createHash('sha512').update(tarballOf(name)).digest('hex') },
        },
      ],
      predicateType: 'tag:package-registry,2026:decision/v1',
      predicate: {
        ...{ decision: 'approved', from: 'pending' },
        package: { ecosystem: 'npm', name, version: '1.0.0' },
        ...{ decidedAt: entry.at, expiresAt: entry.expires_at },
        decidedBy: { name: 'ana@example.com', tokenLabel: null },
        ...{ rule: null, reason: null, overriddenIssues: [], malwareRecord: null },
        evidence: { version: expect.any(String), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
        history: { id: entry.id, type: 'package.approved' },
        omittedFiles: 0,
      },
    });
  });

  it('has the evidence version that reviewers saw, and the digest of the evidence in the history', async () => {
    const name = await submitted();
    const seen = (await registry.get(packagePath(name, '/evidence'))).body.evidence_version;
    await decide(name, 'approve', { expected_evidence_version: seen });

    const { evidence } = await findDecision(name);

    const { body } = await registry.get(packagePath(name, '/history'));
    const sorted = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(sorted);
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value).map(([key, one]) => [key, sorted(one)] as const);
      return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    };
    const canonical = JSON.stringify(sorted(body.history[0].evidence));
    expect(evidence).toEqual({
      version: seen,
      sha256: createHash('sha256').update(canonical).digest('hex'),
    });
  });

  it('changes with each decision, and is missing while a version is pending', async () => {
    const name = await submitted();
    const pending = await show(name);
    await decide(name, 'reject', { rejected_by: 'bea', reason: 'not needed' });
    const rejection = await findDecision(name);
    await decide(name, 'approve', { reason: 'needed after all', expires_in_days: 1 });
    const approval = await findDecision(name);
    registry.clock.pass(25 * 60 * 60_000);
    const expired = await show(name);

    expect([pending.status, pending.body.code]).toEqual([404, 'decision_not_found']);
    expect(rejection).toMatchObject({
      ...{ decision: 'rejected', from: 'pending', reason: 'not needed' },
      decidedBy: { name: 'bea', tokenLabel: null },
    });
    expect(approval).toMatchObject({ decision: 'approved', from: 'rejected' });
    expect([expired.status, expired.body.code]).toEqual([404, 'decision_not_found']);
  });

  it('follows a recall and its end, with the files that were approved', async () => {
    const name = await submitted();
    await decide(name, 'approve');
    const approval = await awaitAttestation(name);
    registry.clock.pass(1000);
    const affected = [{ package: { ecosystem: 'npm', name }, versions: ['1.0.0'] }] as const;
    listRecord(origin, { id: 'MAL-2026-1', affected }, registry.clock.at(0));
    await runRecallWorker(registry, origin);
    const recall = await awaitAttestation(name);
    const withdrawn = registry.clock.at(0);
    listRecord(origin, { id: 'MAL-2026-1', affected, withdrawn }, withdrawn);
    await runRecallWorker(registry, origin);
    const release = await awaitAttestation(name);

    expect(toStatement(recall).predicate).toMatchObject({
      ...{ decision: 'rejected', malwareRecord: 'MAL-2026-1' },
      history: { type: 'package.recalled' },
    });
    expect(toStatement(release).predicate).toMatchObject({
      ...{ decision: 'approved', from: 'rejected', evidence: { version: null, sha256: null } },
      history: { type: 'package.released' },
    });
    expect(toStatement(recall).subject).toEqual(toStatement(approval).subject);
    expect(toStatement(release).subject).toEqual(toStatement(approval).subject);
  });

  it('names the package alone while no files are known', async () => {
    const name = 'unknown-upstream';
    await registry.submit({ ecosystem: 'npm', name, version: '1.0.0' });
    await decide(name, 'approve');

    const { subject } = toStatement(await awaitAttestation(name));

    const purl = `pkg:npm/${name}@1.0.0`;
    const purlSha256 = createHash('sha256').update(purl).digest('hex');
    expect(subject).toEqual([{ name: purl, digest: { purlSha256 } }]);
  });

  it('is unknown for an unknown package', async () => {
    const { status, body } = await show('nothing-of-that-name');

    expect([status, body.code]).toEqual([404, 'package_not_found']);
  });
});

describe('signing', () => {
  const isSign = ({ service, operation }: FunctionCall): boolean =>
    service === 'kms' && operation === 'Sign';

  const refusal = (name: string, status: number) => ({
    status,
    headers: { 'content-type': 'application/x-amz-json-1.1' },
    body: JSON.stringify({ __type: name, message: 'injected' }),
  });

  it.each([
    ['refuses', 12, refusal('KMSInvalidStateException', 400)],
    ['throttles', 12, refusal('ThrottlingException', 400)],
    ['fails', 12, refusal('KMSInternalException', 500)],
    ['does not answer', 4, new Promise<never>(() => undefined)],
  ])('loses nothing while KMS %s', async (_, faults, fault) => {
    const names = [await submitted(), await submitted(), await submitted()];
    let refusals = 0;
    hooks.onRequest = (call) => {
      if (!isSign(call)) return undefined;
      refusals += 1;
      return refusals <= faults ? fault : undefined;
    };
    for (const name of names) await decide(name, 'approve');
    await eventually(() => expect(refusals).toBeGreaterThan(3));
    const meanwhile = await Promise.all(names.map(show));

    const signed = await Promise.all(names.map(findDecision));

    expect(signed.map(({ decision }) => decision)).toEqual(names.map(() => 'approved'));
    expect(refusals).toBeGreaterThan(faults);
    for (const { status, body } of meanwhile) {
      expect([200, 404]).toContain(status);
      if (status === 404) expect(body.code).toBe('not_signed_yet');
    }
  });

  it('keeps the first attestation of a decision that is delivered again', async () => {
    const name = await submitted();
    await decide(name, 'approve');
    const first = await awaitAttestation(name);

    const answer = await invokeWorker({ Records: [await readLastRecord(name)] });

    expect(answer).toEqual({ batchItemFailures: [] });
    expect((await show(name)).body).toEqual(first);
  });

  it('reports the first record that failed, from which Lambda delivers again', async () => {
    const [one, other] = [await submitted(), await submitted()];
    const submission = await readLastRecord(one);
    for (const name of [one, other]) await decide(name, 'approve');
    await Promise.all([one, other].map(awaitAttestation));
    const Records = [submission, await readLastRecord(one), await readLastRecord(other)];
    hooks.onRequest = (call) =>
      isSign(call) ? refusal('KMSInvalidStateException', 400) : undefined;

    const answer = await invokeWorker({ Records });

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: one }] });
  });

  it('fails, so that an alarm is raised, if the first record of a batch failed', async () => {
    const name = await submitted();
    await decide(name, 'approve');
    await awaitAttestation(name);
    const Records = [await readLastRecord(name)];
    hooks.onRequest = (call) =>
      isSign(call) ? refusal('KMSInvalidStateException', 400) : undefined;

    await expect(invokeWorker({ Records })).rejects.toThrow(/could not be signed/);
  });

  it('leaves out a record that cannot be read, and signs the others', async () => {
    const name = await submitted();
    await decide(name, 'approve');
    await awaitAttestation(name);
    const broken = { dynamodb: { SequenceNumber: '0', NewImage: { id: { S: 'x' } } } };
    const signatures: FunctionCall[] = [];
    hooks.onRequest = (call) => void (isSign(call) && signatures.push(call));

    const answer = await invokeWorker({ Records: [broken, await readLastRecord(name)] });

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(signatures).toHaveLength(1);
  });

  it('requests the public key once for each function instance', async () => {
    const requests: FunctionCall[] = [];
    hooks.onRequest = (call) => void (call.service === 'kms' && requests.push(call));

    for (let at = 0; at < 5; at += 1) expect((await registry.get('/keys')).status).toBe(200);

    expect(requests.length).toBeLessThanOrEqual(1);
  });
});

describe('decisions of the time before', () => {
  it('are signed on request, and only once', async () => {
    const before = await TestRegistry.start({
      ...{ signDecisions: true, events: true },
      // Without the stream, nothing is signed.
      transform: ({ eventSources, ...model }) => ({
        ...model,
        eventSources: Object.fromEntries(
          Object.entries(eventSources).filter(([, { batchSize }]) => batchSize !== 25),
        ),
      }),
    });
    try {
      await before.submit({ ecosystem: 'npm', name: 'old', version: '1.0.0' });
      await before.post(packagePath('old', '/approve'), {});
      await eventually(async () => {
        const { body } = await before.get('/api/v1/events');
        expect(body.events).toHaveLength(2);
      });
      const unsigned = await before.get(packagePath('old', '/attestation'));

      const first = await invokeWorker({ after: 0 }, before);
      const second = await invokeWorker({ after: 0 }, before);

      expect([unsigned.status, unsigned.body.code]).toEqual([404, 'not_signed_yet']);
      expect([first, second]).toEqual([
        { signed: 1, next: null },
        { signed: 0, next: null },
      ]);
      expect((await before.get(packagePath('old', '/attestation'))).status).toBe(200);
    } finally {
      await before.close();
    }
  });
});

describe('without the setting', () => {
  it('there is neither a key nor an attestation', async () => {
    const plain = await TestRegistry.start();
    try {
      await plain.submit({ ecosystem: 'npm', name: 'plain', version: '1.0.0' });
      await plain.post(packagePath('plain', '/approve'), {});

      const { status, body } = await plain.get(packagePath('plain', '/attestation'));

      expect([status, body.code]).toEqual([404, 'signing_disabled']);
      expect((await plain.get('/keys')).body).toEqual({ keys: [] });
    } finally {
      await plain.close();
    }
  });
});

describe('the command line', () => {
  let commandLine: CommandLine;
  beforeEach(() => {
    commandLine = CommandLine.install({ REGISTRY_URL: registry.url });
  });
  afterEach(() => commandLine.remove());

  it('saves an attestation and the keys, and verifies them without the registry', async () => {
    const name = await submitted();
    await decide(name, 'approve', { approved_by: 'ana' });
    await awaitAttestation(name);
    const file = (base: string): string => join(commandLine.folder, base);
    for (const [base, args] of [
      ['attestation.json', ['attestation', name, '--json']],
      ['keys.json', ['keys', '--json']],
    ] as const) {
      const { code, stdout } = await commandLine.run(args);
      expect(code).toBe(0);
      writeFileSync(file(base), stdout);
    }
    writeFileSync(file('package.tgz'), tarballOf(name));
    const args = ['verify', 'attestation.json', '--keys', 'keys.json', '--approved'];

    const { code, stdout } = await commandLine.run([...args, '--artifact', 'package.tgz'], {
      env: { REGISTRY_URL: 'http://127.0.0.1:9' },
    });

    expect(code).toBe(0);
    expect(stdout).toMatch(/^The signature is valid, and the statement covers package\.tgz\./);
    expect(stdout).toContain(`Package           npm:${name}@1.0.0\n`);
  });

  it('shows the decision of an attestation', async () => {
    const name = await submitted();
    await decide(name, 'reject', { rejected_by: 'bea', reason: 'not needed' });
    await awaitAttestation(name);

    const { code, stdout } = await commandLine.run(['attestation', name]);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^Decision +rejected$/m);
    expect(stdout).toMatch(/^Decided by +bea$/m);
  });
});
