import { Argument, Option } from 'commander';
import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import type { CliCommand } from '../../framework/command.ts';
import { readBytesInput, readJsonInput } from '../../input/files.ts';
import { readVersionText } from '../../many/read-packages.ts';
import { formatWithSentence } from '../../output/details.ts';
import { writeResult } from '../../output/result.ts';
import { applyQuiet } from '../../output/terminal.ts';
import { presentDecision, type Statement } from '../../presentation/signed-decision.ts';
import { type CommonFlags, chooseFormat } from '../../session/common-flags.ts';
import { checkPackage } from './check-package.ts';
import { type MatchedArtifact, matchArtifact } from './match-artifact.ts';
import { readTrustedKeys } from './read-trusted-keys.ts';
import { verifyAttestation } from './verify-attestation.ts';

interface VerifyFlags extends CommonFlags {
  readonly keys?: string;
  readonly artifact?: readonly string[];
  readonly package?: string;
  readonly approved?: boolean;
}

/** @throws {NegativeResultError} for a rejection, and for an approval that has expired */
const checkApproved = ({ predicate }: Statement, now: Date): void => {
  const { decision, expiresAt } = predicate;
  const name = formatPackage(predicate.package);
  if (decision !== 'approved') {
    throw new NegativeResultError(`The statement is genuine, but ${name} was ${decision}.`);
  }
  if (expiresAt !== null && Date.parse(expiresAt) <= now.getTime()) {
    throw new NegativeResultError(
      `The statement is genuine, but the approval of ${name} expired on ${expiresAt}.`,
    );
  }
};

const matchAll = async (
  files: readonly string[],
  statement: Statement,
): Promise<readonly MatchedArtifact[]> => {
  const matched: MatchedArtifact[] = [];
  for (const file of files) {
    matched.push(matchArtifact(file, await readBytesInput(file), statement));
  }
  return matched;
};

/** A signature has no end: only the registry knows what followed. */
const replacedHint = 'A later decision may have replaced it: request the attestation again.';

/** Returns the first line of the result for people. */
const summarize = (artifacts: readonly MatchedArtifact[]): string =>
  artifacts.length === 0
    ? 'The signature is valid.'
    : `The signature is valid, and the statement covers ${artifacts.map(({ file }) => file).join(', ')}.`;

export const verify: CliCommand = {
  name: 'verify',
  summary: 'Verify the signed statement of a decision, without the registry',
  examples: [
    'verify lodash.json --keys keys.json',
    'verify lodash.json --keys keys.json --package npm:lodash@4.17.21 --approved',
    'verify lodash.json --keys keys.json --artifact lodash-4.17.21.tgz',
  ],
  arguments: [
    new Argument('<file>', 'the answer of registry attestation --json; - for standard input'),
  ],
  options: [
    new Option('--keys <file>', 'the public keys that you trust: a saved registry keys --json'),
    new Option(
      '--artifact <file>',
      'a file that the statement must cover, by its digests; repeat it for several',
    ).argParser((text: string, before: readonly string[] = []) => [...before, text]),
    new Option(
      '--package <package>',
      'fail if the statement is about another package version, such as npm:lodash@4.17.21',
    ),
    new Option('--approved', 'fail unless the decision is an approval that has not expired'),
  ],
  run: async ({ arguments: [file = ''], flags: given }, context) => {
    const flags: VerifyFlags = given;
    const terminal = applyQuiet(context.terminal, flags.quiet);
    const format = chooseFormat(flags);
    const expected = flags.package === undefined ? undefined : readVersionText(flags.package);
    const trusted = await readTrustedKeys(flags.keys);
    const { statement, key } = verifyAttestation(await readJsonInput(file), trusted);
    if (expected) checkPackage(expected, statement);
    const artifacts = await matchAll(flags.artifact ?? [], statement);
    for (const { file: artifact, algorithm } of artifacts.filter(({ isWeak }) => isWeak)) {
      terminal.warn(`${artifact} was compared by ${algorithm} alone, which is weak`);
    }
    if (flags.approved) checkApproved(statement, new Date());
    writeResult({ key, artifacts, statement }, terminal, {
      format,
      formatAnswer: (_, output) =>
        formatWithSentence(summarize(artifacts), { ...presentDecision(statement), key }, output),
    });
    if (flags.approved && format === 'people') terminal.err.write(`${replacedHint}\n`);
  },
};
