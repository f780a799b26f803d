import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import { RegistryError } from '../../../shared/domain/errors.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { defaultLayout } from '../../../shared/storage/catalogue/layout.ts';
import { type Check, judgeChecks } from '../../../shared/storage/integrity/judge-checks.ts';
import { createTally } from '../../../shared/storage/integrity/tally.ts';

async function* noNumbers(): AsyncGenerator<number, undefined> {}

let output: MockInstance;
beforeEach(() => {
  output = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const judge = async (checks: readonly Check[]): Promise<IntegrityReport> => {
  const tally = createTally(IntegrityReport.parse({}));
  await judgeChecks(checks, {
    repair: true,
    layout: defaultLayout,
    tally,
    deadline: { remainingMs: () => 10_000 },
    now: new Date(),
    scanPolicy: defaultScanPolicy,
    lostNumbers: noNumbers(),
  });
  return IntegrityReport.parse(tally.report());
};

const wrong = (example: string, parts: Partial<Check> = {}): Check => ({
  kind: 'wrong_listing',
  example,
  isRight: async () => false,
  mend: async () => true,
  ...parts,
});

const failWith = (error: Error) => async (): Promise<never> => {
  throw error;
};

const serviceError = (name: string): Error =>
  new DynamoDBServiceException({ name, $fault: 'client', $metadata: {}, message: name });

const ofItem: readonly [string, Error][] = [
  ['what cannot be read', new SyntaxError('no JSON')],
  ['what changes all the time', new RegistryError('write_contention', 'Too many writes')],
  ['what DynamoDB does not take', serviceError('ValidationException')],
];

it.each(ofItem)('goes on past %s, and says that it was not judged', async (_, error) => {
  const report = await judge([
    wrong('unread', { isRight: failWith(error) }),
    wrong('unmended', { mend: failWith(error) }),
    wrong('mended'),
  ]);

  expect(report).toMatchObject({ found: { wrong_listing: 2 }, repaired: 1, unjudged: 2 });
  const lines = output.mock.calls.join();
  expect(lines).toContain(
    '"event":"integrity_check_failed","kind":"wrong_listing","example":"unread"',
  );
  expect(lines).toContain('"example":"unmended"');
});

it('goes on past what fails at the second look alone', async () => {
  const isRight = vi.fn(async () => false).mockResolvedValueOnce(false);
  isRight.mockRejectedValueOnce(new SyntaxError('no JSON'));

  const report = await judge([wrong('unread', { isRight }), wrong('mended')]);

  expect(report).toMatchObject({ found: { wrong_listing: 1 }, repaired: 1, unjudged: 1 });
});

it.each([
  ['is not there', new RegistryError('storage_unavailable', 'No answer')],
  ['may not be asked', serviceError('AccessDeniedException')],
])('fails as a whole where the storage %s', async (_, error) => {
  await expect(judge([wrong('unread', { isRight: failWith(error) })])).rejects.toBe(error);
  await expect(judge([wrong('unmended', { mend: failWith(error) })])).rejects.toBe(error);
});
