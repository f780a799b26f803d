import { afterAll, beforeAll, expect, it } from 'vitest';
import { packagePath, TestRegistry } from '../support/registry.ts';

const ci = 'a-token-of-ci-with-thirty-two-characters';
const alice = 'a-token-of-alice-with-thirty-two-characters';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await TestRegistry.start({
    tokens: `ci/submit:${ci},alice/review:${alice}`,
    events: true,
  });
  await registry.submit({ ecosystem: 'npm', name: 'left-pad', version: '1.3.0' }, { token: ci });
});
afterAll(() => registry.close());

const path = packagePath('left-pad', '/comments');

it('keeps a comment and a question in the history, and changes neither status nor evidence', async () => {
  const evidencePath = packagePath('left-pad', '/evidence');
  const before = (await registry.get(evidencePath)).body;

  const asked = await registry.post(path, { text: 'Why?', question: true }, { token: alice });
  const answered = await registry.post(path, { text: 'For the importer' }, { token: ci });

  expect(asked).toMatchObject({
    status: 201,
    body: { name: 'left-pad', version: '1.3.0', by: 'alice', text: 'Why?', question: true },
  });
  expect(answered).toMatchObject({ status: 201, body: { by: 'ci', question: false } });
  const { history } = (await registry.get(packagePath('left-pad', '/history'))).body;
  expect(history).toMatchObject([
    {
      ...{ type: 'package.commented', by: 'ci', reason: 'For the importer', question: false },
      ...{ from: 'pending', to: 'pending' },
    },
    { type: 'package.commented', by: 'alice', reason: 'Why?', question: true },
    { type: 'package.submitted', question: false },
  ]);
  const after = (await registry.get(evidencePath)).body;
  expect(after.evidence_version).toBe(before.evidence_version);
});

it('keeps a comment once that is sent again with its key', async () => {
  const once = { token: ci, headers: { 'Idempotency-Key': 'comment-1' } };

  const first = await registry.post(path, { text: 'Once' }, once);
  const again = await registry.post(path, { text: 'Once' }, once);

  expect(again.body).toEqual(first.body);
  const { history } = (await registry.get(packagePath('left-pad', '/history'))).body;
  expect(history.filter(({ reason }: { reason: string }) => reason === 'Once')).toHaveLength(1);
});

it.each([
  ['no text', {}],
  ['a blank text', { text: ' ' }],
  ['a text of more than 2,000 characters', { text: 'x'.repeat(2001) }],
  ['a question that is no boolean', { text: 'Why?', question: 'yes' }],
])('refuses %s', async (_, body) => {
  expect(await registry.post(path, body, { token: ci })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed' },
  });
});

it('needs the version of a package with several, as a claim does', async () => {
  for (const version of ['1.0.0', '2.0.0']) {
    await registry.submit({ ecosystem: 'npm', name: 'several', version }, { token: ci });
  }

  for (const [kind, body] of [
    ['/comments', { text: 'Why?' }],
    ['/claim', {}],
  ] as const) {
    expect(await registry.post(packagePath('several', kind), body, { token: alice })).toMatchObject(
      {
        status: 400,
        body: { code: 'ambiguous_version' },
      },
    );
  }
});

it('takes 200 comments of a label in a day', async () => {
  const statuses = new Map<number, number>();
  for (let at = 0; at < 201; at += 1) {
    const { status, body } = await registry.post(path, { text: `Note ${at}` }, { token: alice });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status !== 201) expect([status, body.code]).toEqual([409, 'quota_reached']);
  }

  // The first test has made one comment of this label.
  expect([...statuses]).toEqual([
    [201, 199],
    [409, 2],
  ]);
});
