import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import { RegistryError } from '../../../shared/domain/errors.ts';
import { type Check, ConflictError } from '../../../shared/storage/integrity/check.ts';
import { createTally, runChecks } from '../../../shared/storage/integrity/check-integrity.ts';
import { confirmLater } from '../../../shared/storage/integrity/check-listings.ts';

let output: MockInstance;
beforeEach(() => {
  output = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const repair = async (checks: readonly Check[]): Promise<IntegrityReport> => {
  const tally = createTally(IntegrityReport.parse({}));
  await runChecks(confirmLater(checks, 500), { phase: 'listings', repair: true, tally });
  return IntegrityReport.parse(tally.report());
};

const wrong = (
  subject: string,
  { repair = async () => {}, ...parts }: Partial<Check & { repair: () => Promise<void> }> = {},
): Check => ({
  subject,
  examine: async () => [{ findings: [{ kind: 'wrong_listing', example: subject }], repair }],
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

it.each(ofItem)('goes on past %s, and counts it as unjudged', async (_, error) => {
  const report = await repair([
    wrong('unread', { examine: failWith(error) }),
    wrong('unrepaired', { repair: failWith(error) }),
    wrong('repaired'),
  ]);

  expect(report).toMatchObject({ found: { wrong_listing: 2 }, repaired: 1, unjudged: 2 });
  const lines = output.mock.calls.join();
  expect(lines).toContain('"event":"integrity_check_failed","phase":"listings","subject":"unread"');
  expect(lines).toContain('"subject":"unrepaired"');
});

it('goes on past a check that fails at the second look only', async () => {
  const { examine } = wrong('unread');
  const failsLater = vi.fn(examine).mockImplementationOnce(examine);
  failsLater.mockRejectedValueOnce(new SyntaxError('no JSON'));

  const report = await repair([wrong('unread', { examine: failsLater }), wrong('repaired')]);

  expect(report).toMatchObject({ found: { wrong_listing: 1 }, repaired: 1, unjudged: 1 });
});

it('repairs at the next attempt if a writer was faster', async () => {
  const repairLater = vi.fn(async () => {}).mockRejectedValueOnce(new ConflictError());

  const report = await repair([wrong('contended', { repair: repairLater })]);

  expect(report).toMatchObject({ found: { wrong_listing: 1 }, repaired: 1, unjudged: 0 });
});

it('counts as unjudged what writers change at each attempt', async () => {
  const report = await repair([
    wrong('read while it changes', { examine: failWith(new ConflictError()) }),
    wrong('repaired while it changes', { repair: failWith(new ConflictError()) }),
  ]);

  expect(report).toMatchObject({ found: { wrong_listing: 0 }, repaired: 0, unjudged: 2 });
});

it.each([
  ['cannot be reached', new RegistryError('storage_unavailable', 'No answer')],
  ['denies access', serviceError('AccessDeniedException')],
])('fails as a whole if the storage %s', async (_, error) => {
  await expect(repair([wrong('unread', { examine: failWith(error) })])).rejects.toBe(error);
  await expect(repair([wrong('unrepaired', { repair: failWith(error) })])).rejects.toBe(error);
});
