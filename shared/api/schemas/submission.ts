import * as z from 'zod';
import { longestLicense } from '../../domain/licenses/readable-license.ts';
import { explainPackageName, isPackageName } from '../../domain/packages/package-name.ts';
import { explainPackageVersion, isPackageVersion } from '../../domain/packages/package-version.ts';
import { batchName, batchNameRule } from '../../domain/review/batches.ts';
import { isReservedName } from '../../domain/tokens/reserved-name.ts';
import type { Ecosystem as EcosystemName } from '../../ecosystems/ecosystem.ts';
import { Ecosystem } from './ecosystem.ts';
import { holdTo } from './json-schema.ts';
import { submissionRules } from './submission-rules.ts';
import { Identity, line, lines, optional, text, url } from './text.ts';

const maxDescriptionLength = 4096;
export const maxJustificationLength = 2000;

export const BatchName = z.string({ error: batchNameRule }).regex(batchName, {
  error: batchNameRule,
});

interface SubmittedId {
  readonly ecosystem?: EcosystemName | null | undefined;
  readonly type?: EcosystemName | null | undefined;
  readonly name: string;
  readonly version: string;
}

const checkEcosystem = ({ ecosystem, type }: SubmittedId, context: z.RefinementCtx): void => {
  if (ecosystem && type && ecosystem !== type) {
    const message = `says ${type} but ecosystem says ${ecosystem}; send only ecosystem`;
    context.addIssue({ code: 'custom', path: ['type'], message });
  }
};

const checkNameAndVersion = (id: SubmittedId, context: z.RefinementCtx): void => {
  const ecosystem = id.ecosystem ?? id.type;
  if (!ecosystem) return;
  const addIssue = (field: 'name' | 'version', rule: string): void =>
    context.addIssue({ code: 'custom', path: [field], message: `must be ${rule}` });
  if (!isPackageName(ecosystem, id.name)) addIssue('name', explainPackageName(ecosystem));
  if (!isPackageVersion(ecosystem, id.version))
    addIssue('version', explainPackageVersion(ecosystem));
};

/** Body of a submission. */
export const Submission = z
  .strictObject({
    name: z.string().describe('The package name, as in its ecosystem.'),
    version: z.string().describe('The version, as in its ecosystem.'),
    ecosystem: optional(Ecosystem).describe('The ecosystem. Required, here or as `type`.'),
    type: optional(Ecosystem).describe('Alias of `ecosystem`.'),
    license: optional(line(longestLicense)).describe(
      'The license: an SPDX identifier or expression if possible. Other text is kept unchanged.',
    ),
    description: optional(text(maxDescriptionLength)),
    homepage: optional(url('http', 'https')),
    repository: optional(url('https', 'http', 'git', 'git+https', 'git+ssh', 'ssh')),
    justification: optional(lines(maxJustificationLength)).describe(
      'Why the version is needed. Reviewers see it in the evidence and the history.',
    ),
    submitted_by: optional(
      Identity.refine((name) => !isReservedName(name), {
        error: 'must not be registry or policy, nor begin with policy:, by which the registry acts',
      }),
    ).describe(
      'The submitter, if it is not the owner of the token. Must not be `registry` or `policy`, nor begin with `policy:`.',
    ),
    batch: optional(BatchName).describe(
      'A name for submissions that belong together, such as those of one project. A version that is pending already joins the batch, too; the answer is still `package_exists`, and its `detail` says so. `GET /reviews` lists a batch.',
    ),
  })
  // `when` reports this issue together with other issues, not only after their correction.
  .refine(({ ecosystem, type }) => Boolean(ecosystem || type), {
    path: ['ecosystem'],
    error: 'is required',
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
  .superRefine((submission, context) => {
    checkEcosystem(submission, context);
    checkNameAndVersion(submission, context);
  })
  .transform(({ type, ecosystem, ...rest }) => ({
    ...rest,
    // One of the two is present: the refinement above refuses a submission without both.
    ecosystem: (ecosystem ?? type) as EcosystemName,
  }))
  .meta({ description: 'A package version for review.', ...holdTo(...submissionRules) });
export type Submission = z.output<typeof Submission>;
