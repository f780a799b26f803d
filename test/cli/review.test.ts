import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decideVersion } from '../../cli/commands/review/decide-version.ts';
import type { ReviewSession } from '../../cli/commands/review/review-session.ts';
import { sendDecision } from '../../cli/commands/review/send-decision.ts';
import type { Output } from '../../cli/output/terminal.ts';
import { formatEvidence } from '../../cli/presentation/version-evidence.ts';
import { createClient } from '../../shared/api/client/client.ts';
import { changes, evidence } from '../../shared/api/openapi/examples/review.ts';
import { json, problem, startScripted } from '../support/scripted-server.ts';

const item = {
  name: 'left-pad',
  ecosystem: 'npm',
  version: '1.3.0',
  status: 'pending',
  license: null,
} as const;
const shown = { ...evidence, package: { ...evidence.package, ...item } };
const verdict = { by: 'ana', reason: 'because' };

it.each(['approved', 'rejected'] as const)(
  'has a version %s only if it is still pending when the registry decides',
  async (to) => {
    const server = await startScripted(json(200, { ...item, status: to }));

    const { kind } = await sendDecision(createClient({ url: server.url }), item, {
      ...verdict,
      to,
    });

    await server.close();
    expect(kind).toBe('done');
    expect(server.received).toHaveLength(1);
    expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({
      reason: 'because',
      expected_status: 'pending',
    });
  },
);

it.each(['decision_conflict', 'decision_in_force'])(
  'takes %s for the decision of somebody else, and reads it',
  async (code) => {
    const decided = { ...item, status: 'rejected', rejected_by: 'ben' };
    const server = await startScripted(problem(409, code), json(200, decided));
    const client = createClient({ url: server.url });

    const outcome = await sendDecision(client, item, { ...verdict, to: 'approved' });

    await server.close();
    expect(outcome).toEqual({ kind: 'overtaken', detail: decided });
    expect(server.received.map(({ method }) => method)).toEqual(['POST', 'GET']);
  },
);

/** A reviewer who approves, and what they are shown. */
const approving = (url: string): { review: ReviewSession; written: string[] } => {
  const written: string[] = [];
  const out = {
    write: (text: string) => written.push(text),
    style: (_: string, text: string) => text,
  };
  const session = { client: createClient({ url }), terminal: { out } };
  const interrupted = new AbortController().signal;
  const prompt = { ask: async () => 'a', interrupted, close: () => undefined };
  return { review: { session, prompt, by: undefined } as unknown as ReviewSession, written };
};

/** A terminal without colours. */
const toOutput = (width: number): Output => ({
  ...{ isTerminal: true, width, write: () => {} },
  style: (_style, text) => text,
});

it.each([
  [false, 'Files that an approval pins'],
  [true, 'Files pinned by the approval'],
])('shows five digests uncut, and how many more there are', (pinned, title) => {
  const digest = `sha512-${'A'.repeat(86)}==`;
  const files = Array.from({ length: 50 }, (_, at) => ({
    ...{ file: `wheel-${at}.whl`, digest, url: null },
  }));
  const output = toOutput(60);

  const lines = formatEvidence({ ...evidence, files: { pinned, total: 120, files } }, output);

  const from = lines.indexOf(title);
  expect(lines.slice(from + 1, from + 7)).toEqual([
    ...files.slice(0, 5).map(({ file }) => `${digest}  ${file}`),
    'and 115 more; --json has 50',
  ]);
});

/** Formats the evidence of the pending version with changes. */
const formatWith = (compared: object | null, width = 80): string[] => {
  const all = compared && { ...changes, ...compared };
  return formatEvidence({ ...shown, changes: all }, toOutput(width));
};

describe('the evidence', () => {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-31T01:00:00Z') }),
  );
  afterEach(() => void vi.useRealTimers());

  it('begins with the changes, and with the age of an added dependency', () => {
    expect(formatWith({}).slice(0, 9)).toEqual([
      'npm:left-pad@1.3.0  pending',
      'Upgrade of approved 1.14.0, minor, requested by batch shop-2026-11',
      'Published 2026-03-31T00:21:58Z, 3 days after 1.14.0.',
      'Changes since 1.14.0 (approved):',
      '+ dependency plain-crypto-js: ^4.2.1 (not in the registry; first published',
      '  2026-03-30, 19 hours ago)',
      '~ publisher: GitHub Actions → jasonsaayman',
      '- provenance: present',
      '',
    ]);
  });

  it('shows at most three changes of a field, shortened, and the way to all', () => {
    const [added, ...others] = changes.changes;
    const dependency = (at: number) => ({ ...added, name: `${at}${'x'.repeat(2000)}` });
    const many = Array.from({ length: 150 }, (_, at) => dependency(at));
    const lines = formatWith({ changes: [...many, ...others], change_count: 300 }, 1000);

    expect(lines.filter((line) => line.startsWith('+ '))).toEqual(
      [0, 1, 2].map((at) => expect.stringMatching(new RegExp(`^\\+ dependency ${at}x{198}…: `))),
    );
    expect(lines).toContain('- provenance: present');
    expect(lines).toContain('and 295 more');
    expect(lines).toContain('registry diff npm:left-pad@1.3.0 shows them in full.');
  });

  it.each([
    ['no comparison', null, ['Not compared with an earlier version.']],
    [
      'no earlier version',
      { since: null, published_at: null, changes: [], change_count: 0 },
      ['The registry has no earlier version to compare with.'],
    ],
    [
      'no change',
      { published_at: null, changes: [], change_count: 0, unknown: ['file_count'] },
      [
        'Changes since 1.14.0 (approved):',
        'No change in what is known.',
        'Could not be compared: file count.',
      ],
    ],
  ] as const)('says in few lines that there is %s', (_, compared, expected) => {
    const lines = formatWith(compared);
    const end = lines.indexOf('');

    expect(lines.slice(end - expected.length, end)).toEqual(expected);
  });
});

it('shows that a version waits for the end of a freeze, and for which rule', () => {
  const output = toOutput(80);

  const lines = formatEvidence(
    { ...evidence, waits_for: ['freeze'], frozen_rule: 'of-age' },
    output,
  );

  expect(lines.join('\n')).toContain('the end of the freeze (rule of-age)');
});

it('goes on with the next version where somebody else has to approve this one', async () => {
  const server = await startScripted(problem(403, 'four_eyes'));
  const { review, written } = approving(server.url);

  const step = await decideVersion(review, shown, true);

  await server.close();
  expect(step).toBe('skipped');
  expect(written).toHaveLength(1);
});

it.each(['invalid_token', 'scope_missing', 'label_required'])(
  'ends with %s, which would meet the next version too',
  async (code) => {
    const server = await startScripted(problem(403, code));

    await expect(decideVersion(approving(server.url).review, shown, true)).rejects.toMatchObject({
      code,
    });

    await server.close();
  },
);
