import { Option } from 'commander';
import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import { buildInput } from '../../framework/build-input.ts';
import { defineCommand } from '../../framework/define-command.ts';
import { readNamedPackage } from '../../framework/named-package.ts';
import type { Call } from '../../framework/route-description.ts';
import { callOperation, sendRequest } from '../../framework/send-request.ts';
import { formatChanges } from '../../presentation/version-changes.ts';
import { diffFiles } from './files/diff-files.ts';

/** @throws {NegativeResultError} if there is no earlier version, or the registry does not have it */
const compareFiles = async (call: Call<'showChanges'>): Promise<void> => {
  const named = { ...call, ...readNamedPackage(call.described, call) };
  const input = buildInput(named.described, named, undefined);
  const { ecosystem, name, version, since, since_status } = await callOperation(named, input);
  if (since === null) throw new NegativeResultError('There is no earlier version to compare with.');
  if (since_status === null) {
    const [earlier, compared] = [since, version].map((one) =>
      formatPackage({ ecosystem, name, version: one }),
    );
    throw new NegativeResultError(
      `${earlier} is not in the registry, which therefore has no digests of its files. Submit it first, or compare with another version: registry diff ${compared} --files --since VERSION`,
    );
  }
  await diffFiles(call.session, [
    { ecosystem, name, version: since },
    { ecosystem, name, version },
  ]);
};

export const diff = defineCommand('showChanges', {
  name: 'diff',
  examples: [
    'diff axios@1.14.1',
    'diff axios@1.14.1 --since 1.13.0',
    'diff axios@1.14.1 --files',
    'diff pypi:requests --json',
  ],
  options: [
    new Option('--files', 'compare the files: archives from the origin, unpacked in memory'),
  ],
  view: { formatAnswer: formatChanges },
  run: async (call) => {
    if (call.flags['files'] === true) await compareFiles(call);
    else await sendRequest(call);
  },
});
