import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Ecosystem } from '../../shared/domain/ecosystem.ts';
import { decidePackage } from '../../shared/review/decide-package.ts';
import type { ReviewContext } from '../../shared/review/review-context.ts';
import { submitPackage } from '../../shared/review/submit-package.ts';
import { Submission } from '../../shared/schemas/submission.ts';
import { dynamodb } from '../../shared/store/dynamodb.ts';
import { rememberAnswer } from '../../shared/store/idempotency/remember-answer.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { writeContext } from './write-context.ts';

/** Of the 100 that DynamoDB takes, to which later parts of a decision will add. */
const maxItems = { submission: 96, decision: 95 };

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => engine.close());

/** Words that all differ, cut at a length: each is a position to search by. */
const words = (length: number, separator: string): string =>
  Array.from({ length }, (_, at) => (at * 7919).toString(36))
    .join(separator)
    .slice(0, length - 1)
    .concat('x');

const longest: readonly [Ecosystem, string, string][] = [
  ['npm', `@${words(106, '-')}/${words(106, '.')}`, '1.0.0'],
  ['pypi', words(255, '_'), '1.0.0'],
  ['maven', `${words(127, '.')}:${words(127, '-')}`, '1.0.0'],
  ['docker', words(255, '/'), 'latest'],
];

/** With an Idempotency-Key, whose answer is one item more. */
const contextOf = (scope: string): ReviewContext => ({
  ...writeContext(),
  remember: () => [
    rememberAnswer(
      { scope, fingerprint: scope, now: new Date() },
      { statusCode: 201, headers: {}, body: '' },
    ),
  ],
});

const itemsOf = (sent: { readonly mock: { readonly calls: readonly unknown[][] } }): number[] =>
  sent.mock.calls.flatMap(([command]) => {
    const { input } = command as { input: { TransactItems?: readonly unknown[] } };
    return input.TransactItems ? [input.TransactItems.length] : [];
  });

it.each(longest)(
  'writes the longest %s name and description, and decides, in one transaction each',
  async (ecosystem, name, version) => {
    const sent = vi.spyOn(dynamodb, 'send');
    const submission = Submission.parse({
      ecosystem,
      name,
      version,
      license: 'MIT',
      description: words(4096, ' '),
    });

    await submitPackage(submission, contextOf(`submit ${ecosystem}`));
    await decidePackage(
      submission,
      { to: 'approved', by: 'ana', reason: null },
      contextOf(`approve ${ecosystem}`),
    );

    const transactions = itemsOf(sent);
    expect(transactions).toHaveLength(2);
    expect(transactions[0]).toBeLessThanOrEqual(maxItems.submission);
    expect(transactions[1]).toBeLessThanOrEqual(maxItems.decision);
  },
);
