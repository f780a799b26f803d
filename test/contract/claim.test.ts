import { afterAll, beforeAll, expect, it } from 'vitest';
import { FunctionClock } from '../support/function-clocks.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const alice = 'a-token-of-alice-with-thirty-two-characters';
const bob = 'a-token-of-bob-with-more-than-thirty-two-characters';
const hourMs = 60 * 60_000;

let registry: TestRegistry;
beforeAll(async () => {
  registry = await TestRegistry.start({
    tokens: `alice:${alice},bob:${bob}`,
    clock: new FunctionClock(),
  });
  await registry.submit({ ecosystem: 'npm', name: 'left-pad', version: '1.3.0' }, { token: bob });
});
afterAll(() => registry.close());

const claim = (token: string, body: object = {}) =>
  registry.post(packagePath('left-pad', '/claim'), body, { token });

const readEvidence = async () => (await registry.get(packagePath('left-pad', '/evidence'))).body;

it('shows who looks at a version, until the claim ends, and changes no evidence', async () => {
  const before = await readEvidence();

  const claimed = await claim(alice);

  expect(claimed).toMatchObject({
    status: 200,
    body: { version: '1.3.0', claim: { by: 'alice' } },
  });
  const after = await readEvidence();
  expect(after.claim).toEqual(claimed.body.claim);
  expect({ ...after, claim: null }).toEqual(before);

  expect(claimed.body.replaced).toBeNull();
  expect((await claim(alice)).body.replaced).toBeNull();
  expect((await claim(bob)).body).toMatchObject({
    ...{ claim: { by: 'bob' }, replaced: { by: 'alice', until: expect.any(String) } },
  });
  expect((await claim(alice, { end: true })).body.claim).toBeNull();
  expect((await readEvidence()).claim).toBeNull();
});

it('ends after an hour', async () => {
  await claim(alice);
  expect((await readEvidence()).claim).toMatchObject({ by: 'alice' });

  registry.clock.pass(hourMs);

  expect((await readEvidence()).claim).toBeNull();
});

it('blocks no decision of somebody else, and ends with it', async () => {
  await claim(bob);

  const approved = await registry.post(packagePath('left-pad', '/approve'), {}, { token: alice });

  expect(approved.status).toBe(200);
  expect((await readEvidence()).claim).toBeNull();
});
