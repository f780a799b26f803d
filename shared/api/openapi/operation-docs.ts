import type * as z from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };
import { serviceName } from '../../util/service-name.ts';
import type { Routes } from '../all-routes.ts';
import type { AnswerOf, PathParameter, Route } from '../route.ts';
import { attestation, keySet } from './examples/attestation.ts';
import { compatibility, decidedLicense, license, listedLicense } from './examples/licenses.ts';
import {
  approvalEntry,
  approvalEvent,
  day,
  expiration,
  freeze,
  heldRecall,
} from './examples/memory.ts';
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
  review,
  submittedDetail,
} from './examples/packages.ts';
import {
  project,
  projectRef,
  projectUse,
  projectVersions,
  recordedVersions,
  usedVersion,
} from './examples/projects.ts';
import {
  admissionAnswer,
  admissionReview,
  changes,
  checkAnswer,
  checkRequest,
  claimed,
  dependencyList,
  evidence,
  mutationAnswer,
  mutationReview,
  policyResult,
  policyRun,
  question,
  requestedRun,
  reviewPolicy,
  reviewSummary,
} from './examples/review.ts';
import {
  acceptance,
  attention,
  cleanScan,
  dismissedScans,
  recall,
  scan,
  vulnerability,
  vulnerabilityDetail,
  withdrawnAcceptance,
} from './examples/scans.ts';

/** Descriptions of the document's tags. */
export const tags = {
  Packages: 'Submit package versions, find them, and decide on them.',
  Scans: 'Scans of package versions, and their vulnerabilities.',
  Licenses: 'Licenses with their terms and their status.',
  Projects: 'What the projects of the organisation use.',
  Activity: 'History, events, statistics and expiry dates.',
  Service: 'The service itself.',
} as const;

/** Documentation of an operation that does not follow from its route. */
export interface OperationDocs {
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

type DocsOf<R extends Route> = Omit<OperationDocs, 'path' | 'body' | 'answer'> &
  PathExample<R> &
  BodyExample<R> & { readonly answer: AnswerOf<R> };

const onlyPage = { total: 1, limit: 100, offset: 0 };

const selection =
  'Without `ecosystem`, `version` and `status`, the latest submission of the name is selected.';
const selectionForWrite =
  'Without `ecosystem` and `version`, the only pending version is selected, or the only version if none is pending. If several match, the refusal lists them as `candidates`.';

const batchRules =
  'Items of one name are processed in the given order. A repetition with the same `Idempotency-Key` returns the saved results, and tries only the items that failed or had no time (`not_attempted`).';

/** Documentation of each operation, in the order of the document. A missing operation is a type error. */
export const operationDocs: { readonly [K in keyof Routes]: DocsOf<Routes[K]> } = {
  showService: {
    tag: 'Service',
    description:
      'Shows whether writing needs a token, how people and CI jobs sign in without one, and the freeze in force.',
    answer: {
      name: serviceName,
      version: packageJson.version,
      authentication: 'enabled',
      sign_in: { issuer: 'https://id.example.com', client_id: 'package-registry' },
      job_audience: 'https://registry.example.com',
      freeze: null,
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
    description: 'Shows whether the token or the ID token is valid, and its scopes.',
    answer: {
      label: 'ci',
      scopes: ['submit'],
      fingerprint: '3c9683017f9e4bf3',
      issuer: null,
      expires_at: null,
    },
  },
  listPackages: {
    tag: 'Packages',
    description:
      'A search term of three characters or more matches any part of a name, and the beginning of a word in the description. A shorter term matches the beginning of a name. `total` is exact. A term with more than 250,000 matches is refused. With `view=full` and a `status`, versions that were decided during the read are left out. Pending updates by the registry of which a newer one is pending have a `newer_update`.',
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
    description: 'Names match by the rules of their ecosystem.',
    path: { name: lodash.name },
    answer: { packages: [lodash], ...onlyPage },
  },
  listHistory: {
    tag: 'Activity',
    description:
      'Without `ecosystem` and `version`, the history covers all versions of all packages with this name. Each decision has its evidence: the numbers of the scans, and the license at that time.',
    path: { name: lodash.name },
    answer: { history: [approvalEntry], next: null },
  },
  listExpirations: {
    tag: 'Activity',
    description: 'Expired approvals are pending again, and are not listed.',
    answer: { expirations: [expiration], next: null },
  },
  listEvents: {
    tag: 'Activity',
    description:
      'Events appear some seconds after their commit. A client that continues from `next` gets each event exactly once, in order.',
    answer: { events: [approvalEvent], next: approvalEvent.sequence },
  },
  showStatistics: {
    tag: 'Activity',
    description: 'Days are in UTC. Events are counted some seconds after their commit.',
    answer: { days: [day] },
  },
  submitPackage: {
    tag: 'Packages',
    description:
      'The new version is pending. A version that exists already is refused with its address, whatever its status.',
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
    description: `Submits each version as \`submit-package\` does, with one result for each. A refused item does not affect the others. ${batchRules}`,
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
    description: `${selectionForWrite} A blocking issue, such as a rejected license or a failed scan, refuses the approval unless \`override\` lists its code. \`expected_evidence_version\` refuses the approval with \`evidence_changed\` if the evidence has changed, for example by a new vulnerability. Reversing a rejection needs a \`reason\`. \`expires_at\` or \`expires_in_days\` sets an expiry date, after which the version is pending again. For an approved version, they set a new expiry date. \`keep\` confirms an approval with the same expiry date and a \`reason\`. It resolves attention that was caused upstream (\`content_changed\`, \`removed\`, \`yanked\`, \`deprecated\`).`,
    path: { name: pending.name },
    body: { approved_by: 'security@example.com' },
    answer: approvedDetail,
  },
  rejectPackage: {
    tag: 'Packages',
    description: `${selectionForWrite} Reversing an approval needs a \`reason\`. Submitters without the scope \`review\` can reject their own pending versions, also with a \`reason\`.`,
    path: { name: pending.name },
    body: {
      rejected_by: 'security@example.com',
      reason: 'The platform reads zip files by itself',
    },
    answer: rejectedDetail,
  },
  decidePackages: {
    tag: 'Packages',
    description: `Decides on each version as \`approve-package\` or \`reject-package\` does, with one result for each. ${batchRules}`,
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
  claimReview: {
    tag: 'Packages',
    description: `${selectionForWrite} Other reviewers see in the evidence who looks at the version. A claim blocks no decision. It ends after an hour, with a decision, or by \`end\`. A later claim replaces it, and its answer has the claim of somebody else in \`replaced\`.`,
    path: { name: lodash.name },
    body: {},
    answer: {
      ...claimed,
      claim: { by: 'security-team', until: '2026-11-03T11:00:00.000Z' },
      replaced: null,
    },
  },
  commentPackage: {
    tag: 'Packages',
    description: `${selectionForWrite} The history keeps the comment, and an event follows. Everybody can read it. The status and the evidence stay as they are. A label can make 200 comments a day.`,
    path: { name: lodash.name },
    body: { text: question.text, question: true },
    answer: question,
  },
  showEvidence: {
    tag: 'Packages',
    description: `${selection} Upstream metadata arrives some seconds after a submission. An issue that does not block is a warning for reviewers.`,
    path: { name: lodash.name },
    answer: evidence,
  },
  showChanges: {
    tag: 'Packages',
    description:
      'Compares stored upstream metadata; the request causes no request to an origin. Without `version`, it is about the latest submission. Without `since`, it compares with the nearest approved version below, of the same major version first. If there is none, it compares with the version of the registry that was published last before, unless that one is rejected. `since_status` says which. At most 50 added dependencies are looked up.',
    path: { name: 'axios' },
    answer: changes,
  },
  listDependencies: {
    tag: 'Packages',
    description: `${selection} Lists the mandatory dependencies according to stored upstream metadata; the request causes no request to an origin. The first 50 are looked up, as far as the limits of a request allow. Images have none.`,
    path: { name: 'axios' },
    answer: dependencyList,
  },
  showScan: {
    tag: 'Scans',
    description: `${selection} A version without a scan is a 404. The answer merges the newest scan of each scan source, and has the worst status of them. With \`number\`, it is one scan, unchanged.`,
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
    description: `${selectionForWrite} The content of the report determines its format. A version can have ten scan sources. Tokens limited to submissions use at most six of them, and three for each label.`,
    path: { name: pending.name },
    body: { tool: 'a-scanner', vulnerabilities: [] },
    answer: cleanScan,
  },
  dismissScan: {
    tag: 'Scans',
    description: `${selectionForWrite} Use this for wrong scans. The findings of the scan source no longer count until its next scan. Its scans stay readable by their numbers, and the history keeps the reason.`,
    path: { name: lodash.name },
    body: { reason: dismissedScans.reason },
    answer: dismissedScans,
  },
  showAttestation: {
    tag: 'Activity',
    description:
      'Shows the decision in force: an approval, a rejection, a recall, or the end of a recall. It is signed a few seconds after the decision, if the setting `signDecisions` is on. The payload is an in-toto Statement v1: its subjects are the files of the version with their digests, and its predicate has the decision. Without `ecosystem` and `version`, the latest submission of the name is selected.',
    path: { name: lodash.name },
    answer: attestation,
  },
  showKeys: {
    tag: 'Service',
    description:
      'Shows the key that verifies signed decisions. Save the key, and compare its id with a second source: a forged key would verify forged statements. The list is empty if the setting `signDecisions` is off.',
    answer: keySet,
  },
  listReviews: {
    tag: 'Packages',
    description:
      'Lists pending versions, all versions of a batch, or all versions that the tokens of a label submitted. The list follows submissions, decisions and evidence within seconds. It has no total: one request looks at 2,000 versions and reads the data of 500 at most, and a page has 100 at most, and `looked_at` and `complete` show how far it got. Filters by ecosystem, name, submitter, cause, status, or an issue of the upstream metadata need no data: one request then looks at 10,000 versions. So a page can have fewer results than `limit`, and none, while `next` continues. Without `batch`, `label` and `name`, the list leaves out each pending update by the registry of which a newer one is pending (`newer_update`): `older_updates` of the newer version has it. Updates of a package are compared by the version order of its ecosystem, a security fix with security fixes alone.',
    answer: { reviews: [review], looked_at: 1, complete: true, older_updates: 0, next: null },
  },
  summarizeReviews: {
    tag: 'Packages',
    description:
      'Counts the versions of a list of reviews: all pending versions, or those of a `batch` or a `label` in any status. One request counts 10,000 versions, and reads the evidence of the first 500 pending ones among them for `waits` and `issues`. The list follows submissions, decisions and evidence within seconds.',
    answer: reviewSummary,
  },
  listBatches: {
    tag: 'Packages',
    description:
      'Each submission that names a batch adds it to the list of its day within seconds. `GET /api/v1/reviews?batch=` lists the versions of a batch, and `GET /api/v1/reviews/summary?batch=` counts them.',
    answer: { batches: [{ batch: 'shop-2026-11', submitted_on: '2026-11-28' }], next: null },
  },
  listAttention: {
    tag: 'Scans',
    description:
      'The list is always up to date: scans, decisions, recalls and ended acceptances change it in the same transaction. With a filter, one request looks at about 2,000 versions: `looked_at` and `complete` show how far it got. A recalled version is listed first, until a person approves or rejects it, or its recall ends. `severity` counts the open vulnerabilities of its scans, without the malware.',
    answer: { attention: [attention], looked_at: 1, complete: true, next: null },
  },
  listRecalls: {
    tag: 'Scans',
    description:
      'The registry recalls an approved version within minutes after the malware feed names it, or after its origin has removed it: it rejects the version. If the record is withdrawn, or the version is upstream again, it is approved again, unless a person has decided since.',
    answer: { recalls: [recall], next: null },
  },
  listVulnerabilities: {
    tag: 'Scans',
    description:
      'Each vulnerability is listed once, under the id that scans show. The list follows scans and decisions within seconds.',
    answer: { vulnerabilities: [vulnerability], next: null },
  },
  showVulnerability: {
    tag: 'Scans',
    description:
      '`id` is any id of the vulnerability, case-insensitive. The answer follows scans and decisions within seconds.',
    path: { id: vulnerability.id },
    answer: vulnerabilityDetail,
  },
  acceptVulnerability: {
    tag: 'Scans',
    description:
      'Scans still show the vulnerability, marked as accepted, and do not count it until the expiry date. For one version this takes effect at once, else within minutes, also for future versions. The acceptance applies to this id only. It matches a version if OSV.dev reports the id, or if every other tool that reports the vulnerability uses the id.',
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
      'The vulnerability counts again: at once for an acceptance of one version, else within minutes. If scans of an approved version fail as a result, an event reports it.',
    path: { id: acceptance.id, number: String(acceptance.number) },
    body: { reason: withdrawnAcceptance.ended.reason },
    answer: withdrawnAcceptance,
  },
  checkPackages: {
    tag: 'Packages',
    description:
      'Checks the packages of a build: `allowed` is true if every version may be used. A version that is not in the registry is `unknown`; so is an invalid one, with the reason. With the `hashes` of a lockfile, versions are compared with the reviewed files. A tag of an image may have a digest as its hash: the review of the digest decides, else that of the tag if it pinned it. A version with `other_content` or `frozen` is never allowed, nor is a package URL with another source. The answer can be a second behind a decision. `reasons` of an approved version list its current blocking issues.',
    body: checkRequest,
    answer: checkAnswer,
  },
  admitPod: {
    tag: 'Packages',
    description:
      'Validating admission webhook for Kubernetes (`admission.k8s.io/v1`). A pod is allowed if the images of all its containers are approved by their digests. A tag can move to another image, so that an approved tag needs the digest that its approval pinned: `pin-images` adds it. A Deployment or another workload may have an approved tag without digest, because its pods are reviewed themselves. Reviews with more than 200 different images or 3 MiB are refused unread. The status is always 200.',
    body: admissionReview,
    answer: admissionAnswer,
  },
  pinImages: {
    tag: 'Packages',
    description:
      'Mutating admission webhook for Kubernetes. `patch` adds the digest that an approval pinned to each approved tag without digest: `nginx:1.27.3` becomes `nginx:1.27.3@sha256:…`. Other images stay as written, and `admit-pod` decides about them. Reviews that `admit-pod` refuses unread are refused here, too. The status is always 200.',
    body: mutationReview,
    answer: mutationAnswer,
  },
  previewPolicy: {
    tag: 'Activity',
    description:
      'Nothing is written or decided, and the deployed rules stay the same. Rules never decide a pending version with an earlier decision: `decision` is null. For decided versions, the answer shows what the rules would decide on the present evidence, and leaves out decisions by rules.',
    body: reviewPolicy,
    answer: {
      unmet: [{ rule: 'types', condition: 'minimum_age_days', versions: 3 }],
      results: [policyResult],
      freeze: null,
      next: null,
    },
  },
  showPolicy: {
    tag: 'Activity',
    description:
      'Shows the rules of the last deployment, and the progress of their run over all pending versions.',
    answer: { ...reviewPolicy, run: policyRun },
  },
  runPolicy: {
    tag: 'Activity',
    description:
      'A changed policy and each decision on a license start a run, too. A run evaluates up to 500 versions in a step, and continues where a failed step ended. `GET /policy` shows its progress. Versions with an earlier decision are left out.',
    answer: { ...reviewPolicy, run: { ...policyRun, ...requestedRun } },
  },
  listLicenses: {
    tag: 'Licenses',
    description: 'The search covers names and titles. `total` is exact.',
    answer: { licenses: [listedLicense], ...onlyPage },
  },
  showLicense: {
    tag: 'Licenses',
    description: 'For an expression, the answer follows from its parts.',
    path: { name: license.name },
    answer: license,
  },
  listLicenseVersions: {
    tag: 'Licenses',
    description:
      'Lists the versions that state the license, as submitted or upstream, by package. A version is listed by its first five licenses. The name is one license, and no expression. One request looks at 2,000 versions, so that a page by status can have fewer results than `limit` while `next` continues.',
    path: { name: 'MIT' },
    answer: {
      packages: [{ ecosystem: 'npm', name: 'lodash', version: '4.17.21', status: 'approved' }],
      looked_at: 1,
      next: null,
    },
  },
  setLicense: {
    tag: 'Licenses',
    description:
      'Replaces the earlier decision. `status` null restores the status of the deployed policy.',
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
    description: 'The answer names the rule and its source.',
    path: { name: 'Apache-2.0', other: 'GPL-2.0-only' },
    answer: compatibility,
  },
  listHeldRecalls: {
    tag: 'Scans',
    description:
      'The registry recalls nothing by itself if a record of malware names more old versions than a wrong record should hit, or old versions by a range of all versions. Until somebody decides, rules approve nothing of the packages that the record names.',
    answer: { held_recalls: [heldRecall], next: null },
  },
  decideHeldRecall: {
    tag: 'Scans',
    description:
      '`recall` rejects the approved versions that the record names, within minutes. A withdrawal of the record still releases them. `dismiss` keeps them approved: the record then holds nothing, unless it changes. Events report both.',
    path: { id: heldRecall.record },
    body: { reason: 'Confirmed by our security team' },
    answer: {
      ...{
        record: heldRecall.record,
        decision: 'recall',
        reason: 'Confirmed by our security team',
      },
      ...{ by: 'ana', at: '2026-03-31T04:05:00.000Z', versions: heldRecall.versions },
    },
  },
  freezeRegistry: {
    tag: 'Service',
    description:
      'For an incident. Until the freeze is lifted, rules approve nothing. The dependency firewall, checks and the admission of pods refuse versions that were published after `before` or at an unknown time, and images that were approved after it. Own packages stay allowed. A second request replaces the freeze. Events report both.',
    body: { before: '2026-09-15T00:00:00Z', reason: freeze.reason },
    answer: { freeze },
  },
  liftFreeze: {
    tag: 'Service',
    description: 'The rules then evaluate all pending versions.',
    answer: { freeze: null },
  },
  showFreeze: {
    tag: 'Service',
    description: '`freeze` is null if the registry is not frozen.',
    answer: { freeze },
  },
  recordSnapshot: {
    tag: 'Projects',
    description:
      'Records all package versions that a project uses on a branch or tag, also versions that the registry does not have. It replaces the earlier snapshot of the ref. A repetition with equal versions only updates the time, the commit and the label.',
    path: { project: project.project },
    body: {
      ...{ ref: projectRef.ref, commit: projectRef.commit, owner: project.owner },
      versions: recordedVersions,
    },
    answer: { project: project.project, ...projectRef, changed: true, added: 1, removed: 1 },
  },
  listProjects: {
    tag: 'Projects',
    description: 'Lists all projects by name, or the projects of one owner.',
    answer: { projects: [project], next: null },
  },
  showProject: {
    tag: 'Projects',
    description:
      'The status of each version is that of the moment: a version can be recalled, rejected or expired since the recording. The answer can be a second behind a decision.',
    path: { project: project.project },
    answer: {
      ...{ project: project.project, owner: project.owner, recorded_at: project.recorded_at },
      ...{ refs: [projectRef], ref: projectRef.ref, versions: projectVersions, next: null },
    },
  },
  removeProject: {
    tag: 'Projects',
    description: 'For a merged branch, or a project that is not in use any more.',
    path: { project: project.project },
    answer: { project: project.project, ref: projectRef.ref, project_removed: true },
  },
  listPackageProjects: {
    tag: 'Projects',
    description:
      'Without `ecosystem`, the projects of all ecosystems that can have the name. The registry need not have the package.',
    path: { name: projectUse.name },
    answer: { projects: 1, projects_at_least: false, uses: [projectUse], next: null },
  },
  listProjectUses: {
    tag: 'Projects',
    description:
      'For a list of versions, such as recalls. No project uses a version whose name or version its ecosystem does not allow.',
    body: { packages: [usedVersion] },
    answer: {
      packages: [
        {
          ...{ ...usedVersion, projects: 1, projects_at_least: false },
          used_by: [{ project: project.project, owner: project.owner }],
        },
      ],
    },
  },
  listVulnerabilityProjects: {
    tag: 'Projects',
    description:
      'Covers the versions in which scans of the registry found the vulnerability, accepted or not.',
    path: { id: 'CVE-2021-44228' },
    answer: { id: 'CVE-2021-44228', uses: [projectUse], next: null },
  },
  replaceOwner: {
    tag: 'Projects',
    description:
      'Handles the next 500 projects; repeat it with `next`. Records, events and digests contain no owner. A later recording with the old owner stores it again.',
    body: { owner: 'ana@example.com', replacement: 'former-employee-17' },
    answer: { replaced: 3, next: null },
  },
};
