import { Option } from 'commander';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import { buildInput } from '../../framework/build-input.ts';
import { defineCommand } from '../../framework/define-command.ts';
import { readNamedPackage } from '../../framework/named-package.ts';
import type { Call } from '../../framework/route-description.ts';
import { callOperation, sendRequest } from '../../framework/send-request.ts';
import { formatChanges } from '../../presentation/version-changes.ts';
import { diffFiles } from './files/diff-files.ts';

/** @throws {NegativeResultError} if there is no earlier version */
const compareFiles = async (call: Call<'showChanges'>): Promise<void> => {
  const named = { ...call, ...readNamedPackage(call.described, call) };
  const input = buildInput(named.described, named, undefined);
  const { ecosystem, name, version, since } = await callOperation(named, input);
  if (since === null) throw new NegativeResultError('There is no earlier version to compare with.');
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
