import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseOf } from '../support/database.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const token = 'first-token-of-more-than-thirty-two-characters';
const otherToken = 'other-token-of-more-than-thirty-two-characters';

describe('an Idempotency-Key', () => {
  let registry: TestRegistry;
  let count = 0;

  beforeAll(async () => {
    registry = await TestRegistry.start({ tokens: `${token},${otherToken}` });
  });
  afterAll(() => registry.close());

  const fresh = () => {
    count += 1;
    return { ecosystem: 'npm', name: `subject-${count}`, version: '1.0.0' };
  };
  const post = (path: string, body: unknown, key: string, as = token) =>
    registry.post(path, body, { token: as, headers: { 'Idempotency-Key': key } });
  const submit = (body: unknown, key: string, as?: string) =>
    post('/api/v1/packages', body, key, as);

  it('replays a submission instead of refusing it as a duplicate', async () => {
    const submission = fresh();

    const first = await submit(submission, 'replayed');
    const second = await submit(submission, 'replayed');

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  it('replays a decision, even after it was reversed', async () => {
    const submission = fresh();
    await submit(submission, 'to-decide');
    const approve = packagePath(submission.name, '/approve');

    const first = await post(approve, {}, 'approval');
    await post(packagePath(submission.name, '/reject'), { reason: 'CVE' }, 'rejection');
    const second = await post(approve, {}, 'approval');

    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
    const { body: now } = await registry.get(packagePath(submission.name));
    expect(now.status).toBe('rejected');
  });

  it('replays a refusal, also when the request would succeed by now', async () => {
    const submission = fresh();
    const approve = packagePath(submission.name, '/approve');

    const first = await post(approve, {}, 'too-early');
    await submit(submission, 'now-there');
    const second = await post(approve, {}, 'too-early');

    expect([first.status, second.status]).toEqual([404, 404]);
    expect(second.body).toEqual(first.body);
    expect((await registry.get(packagePath(submission.name))).body.status).toBe('pending');
  });

  it('is refused with another body, and nothing is written', async () => {
    const [one, other] = [fresh(), fresh()];
    await submit(one, 'reused');

    const { status, body } = await submit(other, 'reused');

    expect(status).toBe(409);
    expect(body.code).toBe('idempotency_key_reused');
    expect((await registry.get(packagePath(other.name))).status).toBe(404);
  });

  it('is refused with other parameters', async () => {
    const { name, ...rest } = fresh();
    await submit({ name, ...rest }, 'v1');
    await submit({ name, ...rest, version: '2.0.0' }, 'v2');
    await post(packagePath(name, '/approve?version=1.0.0'), {}, 'which');

    const { status, body } = await post(packagePath(name, '/approve?version=2.0.0'), {}, 'which');

    expect(status).toBe(409);
    expect(body.code).toBe('idempotency_key_reused');
  });

  it('belongs to its token and its path', async () => {
    const [one, other] = [fresh(), fresh()];
    await submit(one, 'scoped');

    const byOther = await submit(other, 'scoped', otherToken);
    const onOther = await post(packagePath(one.name, '/approve'), {}, 'scoped');

    expect([byOther.status, onOther.status]).toEqual([201, 200]);
  });

  it('lets one of many simultaneous requests act and gives all the same answer', async () => {
    const submission = fresh();

    const answers = await Promise.all(
      Array.from({ length: 8 }, () => submit(submission, 'simultaneous')),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.submitted_at)).size).toBe(1);
  });

  it('does not hold on to what never ran', async () => {
    const submission = fresh();

    const invalid = await submit({ ...submission, licence: 'MIT' }, 'corrected');
    const unknown = await submit(submission, 'corrected', 'wrong');
    const corrected = await submit(submission, 'corrected');

    expect([invalid.status, unknown.status, corrected.status]).toEqual([400, 403, 201]);
  });

  it('is free again once the stored expiry has passed, deleted or not', async () => {
    const submission = fresh();
    await submit(submission, 'expiring');
    const database = databaseOf(registry);
    const table = registry.stack.tables['IDEMPOTENCY_TABLE'];
    const { Items } = await database.send(new ScanCommand({ TableName: table }));
    for (const { scope } of Items ?? []) {
      await database.send(
        new UpdateCommand({
          TableName: table,
          Key: { scope },
          UpdateExpression: 'SET expires_at = :now',
          ExpressionAttributeValues: { ':now': Math.floor(Date.now() / 1000) },
        }),
      );
    }

    const { status, body } = await submit(submission, 'expiring');

    expect(status).toBe(409);
    expect(body.code).toBe('package_exists');
  });

  it('expires after 24 hours, and stores neither key, token nor body', async () => {
    const { Items: before } = await databaseOf(registry).send(
      new ScanCommand({ TableName: registry.stack.tables['IDEMPOTENCY_TABLE'] }),
    );
    await post(packagePath('nobody', '/approve'), { reason: 'private-words' }, 'private-key');

    const { Items: after } = await databaseOf(registry).send(
      new ScanCommand({ TableName: registry.stack.tables['IDEMPOTENCY_TABLE'] }),
    );

    const known = new Set((before ?? []).map(({ scope }) => scope));
    const added = (after ?? []).filter(({ scope }) => !known.has(scope));
    expect(added).toHaveLength(1);
    expect(added[0]?.['expires_at'] - Date.now() / 1000).toBeCloseTo(86_400, -1);
    expect(JSON.stringify(added)).not.toMatch(/private-|first-token/);
  });

  it.each([
    ['empty', ''],
    ['over 255 characters', 'x'.repeat(256)],
    ['not ASCII', 'schlüssel'],
  ])('is refused when it is %s', async (_, key) => {
    const { status, body } = await submit(fresh(), key);

    expect(status).toBe(400);
    expect(body.errors[0].path).toBe('Idempotency-Key');
  });
});
