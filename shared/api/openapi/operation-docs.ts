import type * as z from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Routes } from '../all-routes.ts';
import type { AnswerOf, PathParameter, Route } from '../route.ts';
import { compatibility, decidedLicense, license, listedLicense } from './examples/licenses.ts';
import { approvalEntry, approvalEvent, day, expiration } from './examples/memory.ts';
import {
  alreadyThere,
  approvedDetail,
  listed,
  lodash,
  lodashDetail,
  notNeeded,
  overridden,
  pending,
  rejectedDetail,
  submittedDetail,
} from './examples/packages.ts';
import {
  admissionAnswer,
  admissionReview,
  checkAnswer,
  checkRequest,
  evidence,
  policyResult,
  reviewPolicy,
} from './examples/review.ts';
import {
  acceptance,
  attention,
  cleanScan,
  retiredScans,
  scan,
  vulnerability,
  vulnerabilityDetail,
  withdrawnAcceptance,
} from './examples/scans.ts';

/** Descriptions of the document's tags. */
export const tags = {
  Packages: 'Package versions: submit them, find them, decide on them.',
  Scans: 'What scanners found in them.',
  Licenses: 'What licenses demand, and what the organisation thinks of them.',
  Memory: 'What happened, when, by whom and on what evidence.',
  Service: 'The registry itself.',
} as const;

/** Documentation of an operation that does not follow from its route. */
export interface OperationWords {
  readonly tag: keyof typeof tags;
  readonly description: string;
  /** Example values of the path parameters, then of the body and of the response. */
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly answer: unknown;
}

type PathExample<R extends Route> = [PathParameter<R['path']>] extends [never]
  ? unknown
  : { readonly path: Readonly<Record<PathParameter<R['path']>, string>> };

type BodyExample<R extends Route> = R extends { body: { schema: infer S extends z.ZodType } }
  ? { readonly body: z.input<S> }
  : unknown;

type WordsOf<R extends Route> = Omit<OperationWords, 'path' | 'body' | 'answer'> &
  PathExample<R> &
  BodyExample<R> & { readonly answer: AnswerOf<R> };

const onlyPage = { total: 1, limit: 100, offset: 0 };

const selection =
  'Without `ecosystem`, `version` and `status`, the version that was submitted last is meant.';
const selectionForWrite =
  'Without `ecosystem` and `version`, the only pending version is meant or, with none pending, the only version; where there are several, the refusal lists them as `candidates`.';

const eachByItself =
  'What is about one name is done in the order given. Send the same request with the same `Idempotency-Key` again, and what was done or refused is answered as it was; the rest is tried: what failed, and what had no time left, by `not_attempted`.';

/** Documentation of each operation, in the order of the document. A missing operation is a type error. */
export const words: { readonly [K in keyof Routes]: WordsOf<Routes[K]> } = {
  showService: {
    tag: 'Service',
    description: 'Says whether writing needs a token.',
    answer: {
      name: packageJson.name,
      version: packageJson.version,
      authentication: 'enabled',
      links: {
        openapi: 'http://127.0.0.1:3000/openapi.json',
        console: 'http://127.0.0.1:3000/console',
        docs: 'http://127.0.0.1:3000/docs',
        command_line: 'http://127.0.0.1:3000/registry.mjs',
        npm: 'http://127.0.0.1:3000/npm/',
        pypi: 'http://127.0.0.1:3000/pypi/simple/',
        maven: 'http://127.0.0.1:3000/maven/',
      },
    },
  },
  showCaller: {
    tag: 'Service',
    description: 'Tells whether a token is accepted, and what can be done with it.',
    answer: { label: 'ci', scopes: ['submit'], fingerprint: '3c9683017f9e4bf3' },
  },
  listPackages: {
    tag: 'Packages',
    description:
      'Three characters or more are found anywhere in a name, and at the beginning of the words of a description; one or two at the beginning of a name. `total` is exact; a term in more than 250,000 places is refused. With `view=full`, a version that was decided while the page was read is neither shown under its earlier `status` nor counted.',
    answer: { packages: [lodash, listed], ...onlyPage, total: 2 },
  },
  showPackage: {
    tag: 'Packages',
    description: selection,
    path: { name: lodash.name },
    answer: lodashDetail,
  },
  listVersions: {
    tag: 'Packages',
    description: 'Names compare as their ecosystem compares them.',
    path: { name: lodash.name },
    answer: { packages: [lodash], ...onlyPage },
  },
  listHistory: {
    tag: 'Memory',
    description:
      'Without `ecosystem` and `version`, of all versions of all packages of this name. Each decision says what it stood on: the scans, by their numbers, and the license as it was seen then.',
    path: { name: lodash.name },
    answer: { history: [approvalEntry], next: null },
  },
  listExpirations: {
    tag: 'Memory',
    description: 'An approval that has run out is pending again, and not listed.',
    answer: { expirations: [expiration], next: null },
  },
  listEvents: {
    tag: 'Memory',
    description:
      'What is committed is here some seconds later. Whoever goes on from `next` meets each event once: none comes later at a place before.',
    answer: { events: [approvalEvent], next: approvalEvent.sequence },
  },
  showStatistics: {
    tag: 'Memory',
    description: 'Days are those of UTC. What happened counts some seconds later.',
    answer: { days: [day] },
  },
  submitPackage: {
    tag: 'Packages',
    description:
      'The version is pending until somebody decides on it. One that exists already is refused with its address, whatever its status.',
    body: {
      ecosystem: 'npm',
      name: 'left-pad',
      version: '1.3.0',
      license: 'WTFPL',
      description: 'Pads a string on its left side',
      justification: 'The importer pads article numbers with it',
      submitted_by: 'web@example.com',
    },
    answer: submittedDetail,
  },
  submitPackages: {
    tag: 'Packages',
    description: `Each as \`submit-package\` would do it alone, and answered in the same words: one that is refused costs itself alone. ${eachByItself}`,
    body: {
      packages: [
        { ecosystem: 'npm', name: 'left-pad', version: '1.3.0', license: 'WTFPL' },
        { ecosystem: 'npm', name: 'lodash', version: '4.17.21' },
      ],
    },
    answer: {
      results: [
        { status: 201, package: submittedDetail },
        { status: 409, problem: alreadyThere },
      ],
    },
  },
  approvePackage: {
    tag: 'Packages',
    description: `${selectionForWrite} A blocking issue, such as a rejected license or a failed scan, refuses the approval unless \`override\` names its code. Send \`expected_evidence_version\` to approve only what you saw: a vulnerability that became known since then refuses the approval with \`evidence_changed\`. Reversing a rejection needs a \`reason\`. With \`expires_at\` or \`expires_in_days\` it holds until then, and the version is pending again; sent for a version that is approved, it gives that another end. With \`keep\`, an approved version stays approved until the same end, for a \`reason\`: that settles the attention which upstream caused (\`republished\`, \`yanked\`, \`deprecated\`).`,
    path: { name: pending.name },
    body: { approved_by: 'security@example.com' },
    answer: approvedDetail,
  },
  rejectPackage: {
    tag: 'Packages',
    description: `${selectionForWrite} Reversing an approval needs a \`reason\`, and so does whoever may only take back what they submitted.`,
    path: { name: pending.name },
    body: {
      rejected_by: 'security@example.com',
      reason: 'The platform reads zip files by itself',
    },
    answer: rejectedDetail,
  },
  decidePackages: {
    tag: 'Packages',
    description: `Each as \`approve-package\` or \`reject-package\` would do it alone. ${eachByItself}`,
    body: {
      decisions: [
        {
          ...{ ecosystem: 'npm', name: 'jszip', version: '3.10.1', action: 'approve' },
          ...{ override: ['scan_failed'], reason: overridden.reason },
        },
        {
          ...{ ecosystem: 'npm', name: 'left-pad', version: '1.3.0', action: 'reject' },
          reason: notNeeded.reason,
        },
      ],
    },
    answer: {
      results: [
        { status: 200, package: overridden },
        { status: 200, package: notNeeded },
      ],
    },
  },
  showEvidence: {
    tag: 'Packages',
    description: `${selection} What its origin says may be some seconds behind a submission. An objection that does not block is for reviewers to weigh.`,
    path: { name: lodash.name },
    answer: evidence,
  },
  showScan: {
    tag: 'Scans',
    description: `${selection} A version that was never scanned is a 404: nothing is known of it. Each tool's latest scan counts, of each token that it was sent with; the status is the worst of them. With \`number\`, one scan as it was.`,
    path: { name: lodash.name },
    answer: scan,
  },
  listScans: {
    tag: 'Scans',
    description: selection,
    path: { name: lodash.name },
    answer: { scans: [scan], ...onlyPage },
  },
  submitScan: {
    tag: 'Scans',
    description: `${selectionForWrite} The format is found by the content of the report. A version has places for ten uploads by different tools and tokens; tokens that may only submit fill six of them at most, and three for each label.`,
    path: { name: pending.name },
    body: { tool: 'a-scanner', vulnerabilities: [] },
    answer: cleanScan,
  },
  retireScan: {
    tag: 'Scans',
    description: `${selectionForWrite} For scans that were a mistake: what the tool found with this token counts no more, until it scans again. Its scans stay readable by their numbers, and the history keeps the reason.`,
    path: { name: lodash.name },
    body: { reason: retiredScans.reason },
    answer: retiredScans,
  },
  listAttention: {
    tag: 'Scans',
    description:
      'Exact at once: a version is here from the moment at which a scan, a decision or the end of an acceptance brings it about.',
    answer: { attention: [attention], next: null },
  },
  listVulnerabilities: {
    tag: 'Scans',
    description:
      'Each stands here once, under the id by which scans show it. Follows within seconds what becomes known and what is decided.',
    answer: { vulnerabilities: [vulnerability], next: null },
  },
  showVulnerability: {
    tag: 'Scans',
    description:
      'Any of its ids will do, in any case. Follows within seconds what becomes known and what is decided.',
    path: { id: vulnerability.id },
    answer: vulnerabilityDetail,
  },
  acceptVulnerability: {
    tag: 'Scans',
    description:
      'It stays visible in scans, marked, and does not count until then: for a version at once, else within minutes for all versions that have it, and for those that get it later. It is accepted under this id alone: a version has it where its scans by OSV.dev name the id or, where these are silent, every tool that tells of it does.',
    path: { id: acceptance.id },
    body: {
      reason: acceptance.reason,
      expires_at: acceptance.expires_at,
      ecosystem: acceptance.ecosystem,
      name: acceptance.name,
    },
    answer: acceptance,
  },
  withdrawAcceptance: {
    tag: 'Scans',
    description:
      'It counts again: at once in the one version that it was for, within minutes elsewhere. Where scans of an approved version fail by that, an event says so.',
    path: { id: acceptance.id, number: String(acceptance.number) },
    body: { reason: withdrawnAcceptance.ended.reason },
    answer: withdrawnAcceptance,
  },
  checkPackages: {
    tag: 'Packages',
    description:
      'For a build that is to use only what is approved: `allowed` says whether all of it may be used. A version that nobody submitted is `unknown`, and so is one that cannot be, with the reason. With the `hashes` of a lockfile, a version is compared with the files that were reviewed: one with `other_content` is never allowed, nor is a package URL whose qualifiers name another source. The answer may lag a second behind a decision. What is approved shows in its reasons what an approval would need an override for today.',
    body: checkRequest,
    answer: checkAnswer,
  },
  admitPod: {
    tag: 'Packages',
    description:
      'A validating admission webhook of Kubernetes (`admission.k8s.io/v1`): a pod may run where the images of all its containers are approved, by their tags or digests. A tag may mean something else tomorrow; a digest does not. A review of more than 200 different images, or of more than 3 MiB, is refused without being looked at. Whatever it decides, the answer is a 200.',
    body: admissionReview,
    answer: admissionAnswer,
  },
  previewPolicy: {
    tag: 'Memory',
    description:
      'Nothing is written, and nothing decided: the rules of the deployment are those that it was deployed with. Rules look at what nobody decided on before; of the rest `decision` is null.',
    body: reviewPolicy,
    answer: { results: [policyResult], next: null },
  },
  listLicenses: {
    tag: 'Licenses',
    description: 'The search looks at names and titles. `total` is exact.',
    answer: { licenses: [listedLicense], ...onlyPage },
  },
  showLicense: {
    tag: 'Licenses',
    description: 'Of an expression, what follows from its parts.',
    path: { name: license.name },
    answer: license,
  },
  setLicense: {
    tag: 'Licenses',
    description:
      'Takes the place of what was decided before. `status` null goes back to the policy of the deployment.',
    path: { name: license.name },
    body: {
      status: 'approved',
      note: 'As a library, unmodified',
      reviewed_by: 'legal@example.com',
    },
    answer: decidedLicense,
  },
  compareLicenses: {
    tag: 'Licenses',
    description: 'Names the rule that says so, and its source.',
    path: { name: 'Apache-2.0', other: 'GPL-2.0-only' },
    answer: compatibility,
  },
};
