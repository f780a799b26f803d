import { ecosystems } from '../ecosystems/ecosystem.ts';
import { toOriginSetting } from './origin-setting.ts';
import type { Access, OptionalAccess } from './resources.ts';

/**
 * Function without an HTTP route: an operator, a schedule, a stream or a queue invokes it. Its ID names its file and
 * construct.
 */
export interface Worker {
  readonly id: string;
  readonly summary: string;
  readonly access: Access;
  readonly accessWith?: OptionalAccess;
  readonly timeoutMinutes: number;
}

/** Access with which a function hands submissions to the worker that makes them. */
const submissionQueue = { queues: ['submissions'] } as const satisfies Access;

/** Access with which a function authenticates at origins, mirrors and image registries. */
const upstreamAccounts = { upstreamSecret: ['GetSecretValue'] } as const satisfies Access;

/** Workers of the registry, by name. */
export const workers = {
  applyPolicy: {
    id: 'apply-policy',
    summary: 'Applies the rules of the policy to pending versions',
    access: {
      packages: ['GetItem', 'UpdateItem', 'QueryIndex:by-ecosystem-and-status'],
      catalogue: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
      reviews: ['GetItem', 'Query', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      licenses: ['BatchGetItem'],
      decisions: ['PutItem'],
      settings: [
        'osvScanning',
        'collectFacts',
        'counterShards',
        'approvalDays',
        'blockingIssues',
        'requireApprovedLicense',
        'minimumAgeDays',
        'scanFailedFrom',
        'scanWarningFrom',
        'scanUnrated',
      ],
    },
    timeoutMinutes: 5,
  },
  checkDeployment: {
    id: 'check-deployment',
    summary:
      'Refuses a deployment that does not know the format of the data, or would loosen settings or replace tables without naming them, before it changes anything',
    access: { stack: ['DescribeStacks'] },
    timeoutMinutes: 2,
  },
  checkIntegrity: {
    id: 'check-integrity',
    summary:
      'Compares derived data with package versions and records, on a schedule, and repairs it on request',
    access: {
      packages: [
        'Scan',
        'Query',
        'BatchGetItem',
        'GetItem',
        'PutItem',
        'UpdateItem',
        'DeleteItem',
        'ConditionCheckItem',
        'QueryIndex:by-ecosystem-and-status',
      ],
      catalogue: [
        'Scan',
        'Query',
        'BatchGetItem',
        'PutItem',
        'UpdateItem',
        'DeleteItem',
        'ConditionCheckItem',
      ],
      scans: ['Query', 'BatchGetItem'],
      reviews: [
        'Scan',
        'Query',
        'BatchGetItem',
        'GetItem',
        'PutItem',
        'UpdateItem',
        'DeleteItem',
        'ConditionCheckItem',
      ],
      decisions: ['Scan', 'Query', 'PutItem', 'QueryIndex:by-time'],
      events: ['Query', 'BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
      projects: [
        'Scan',
        'Query',
        'BatchGetItem',
        'GetItem',
        'PutItem',
        'UpdateItem',
        'DeleteItem',
        'ConditionCheckItem',
      ],
      settings: ['integrityDays', 'scanFailedFrom', 'scanWarningFrom', 'scanUnrated'],
    },
    timeoutMinutes: 15,
  },
  collectFacts: {
    id: 'collect-facts',
    summary:
      'Collects the upstream metadata of versions, and compares pending ones with earlier ones',
    access: {
      // The first upstream fetch pins the files of a version that was approved before.
      packages: [
        'UpdateItem',
        // A comparison looks for an earlier version, and for added dependencies.
        'QueryIndex:by-ecosystem',
        'QueryIndex:by-ecosystem-and-status',
      ],
      reviews: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
      decisions: ['PutItem'],
      settings: [
        ...ecosystems.map(toOriginSetting),
        'originTimeoutMs',
        'ownPackages',
        'factsHours',
        'recall',
        'followUpdates',
        'gateRequests',
        'minimumAgeDays',
        'scanFailedFrom',
        'scanWarningFrom',
        'scanUnrated',
      ],
    },
    accessWith: {
      followUpdates: submissionQueue,
      gateRequests: submissionQueue,
      upstreamSecretArn: upstreamAccounts,
    },
    timeoutMinutes: 2,
  },
  forwardVersions: {
    id: 'forward-versions',
    summary: 'Adds each new version to the queues of scans and upstream metadata',
    access: { queues: ['scan', 'facts'], settings: ['osvScanning', 'collectFacts'] },
    timeoutMinutes: 1,
  },
  indexVersions: {
    id: 'index-versions',
    summary:
      'Indexes each version by its vulnerabilities and batches, applies risk acceptances to it, packs approved versions for the gate, indexes approved Maven versions by their parent POMs, and approved names, and records the projects that a change affects',
    access: {
      packages: ['GetItem', 'BatchGetItem', 'QueryIndex:by-ecosystem-and-status'],
      reviews: [
        'GetItem',
        'Query',
        'BatchGetItem',
        'PutItem',
        'UpdateItem',
        'DeleteItem',
        'ConditionCheckItem',
      ],
      decisions: ['PutItem'],
      projects: ['Query'],
      settings: ['scanFailedFrom', 'scanWarningFrom', 'scanUnrated'],
    },
    timeoutMinutes: 15,
  },
  loadLicenses: {
    id: 'load-licenses',
    summary: 'Updates the licenses from SPDX and the policy, on deployment',
    access: {
      licenses: ['Query', 'PutItem', 'DeleteItem'],
      reviews: ['PutItem'],
      stack: ['DescribeStacks'],
    },
    timeoutMinutes: 5,
  },
  migrateData: {
    id: 'migrate-data',
    summary: 'Brings all tables to the data format of the release, on deployment',
    // A migration rewrites items as they are stored. One that removes items needs `DeleteItem`, too.
    access: {
      packages: ['Scan', 'PutItem'],
      catalogue: ['Scan', 'PutItem'],
      scans: ['Scan', 'PutItem'],
      licenses: ['Scan', 'PutItem'],
      decisions: ['Scan', 'PutItem'],
      reviews: ['Scan', 'PutItem'],
      events: ['Scan', 'PutItem'],
      idempotency: ['Scan', 'PutItem'],
      projects: ['Scan', 'PutItem'],
      stack: ['DescribeStacks'],
    },
    timeoutMinutes: 15,
  },
  normalizeLicenses: {
    id: 'normalize-licenses',
    summary: 'Normalizes the licenses of all versions again, after a change of the rules',
    access: {
      packages: ['Scan', 'UpdateItem'],
      reviews: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    },
    timeoutMinutes: 15,
  },
  recallPackages: {
    id: 'recall-packages',
    summary:
      'Recalls approved versions that the malware feed names or that were removed upstream, and releases them when the reason is gone',
    access: {
      packages: ['GetItem', 'UpdateItem', 'QueryIndex:by-ecosystem-and-status'],
      catalogue: ['PutItem', 'UpdateItem', 'DeleteItem'],
      reviews: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
      licenses: ['BatchGetItem'],
      decisions: ['PutItem'],
      queues: ['scan'],
      settings: [
        'recall',
        'osvScanning',
        'removalRecalls',
        'malwareFeedUrl',
        'osvTimeoutMs',
        'counterShards',
        'scanFailedFrom',
        'scanWarningFrom',
        'scanUnrated',
      ],
    },
    accessWith: { upstreamSecretArn: upstreamAccounts },
    timeoutMinutes: 5,
  },
  refreshTrustedRoot: {
    id: 'refresh-trusted-root',
    summary: 'Refreshes the trusted root of Sigstore, with which provenance is checked',
    access: { reviews: ['PutItem'], settings: ['trustedRootUrl'] },
    timeoutMinutes: 2,
  },
  rescanPackages: {
    id: 'rescan-packages',
    summary: 'Repeats failed scans, and scans every approved version daily',
    access: {
      catalogue: ['Query'],
      scans: ['GetItem', 'Query', 'PutItem', 'DeleteItem'],
      reviews: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
      decisions: ['PutItem'],
      settings: [
        'osvUrl',
        'osvTimeoutMs',
        'rescanHours',
        'scanFailedFrom',
        'scanWarningFrom',
        'scanUnrated',
      ],
    },
    accessWith: { upstreamSecretArn: upstreamAccounts },
    timeoutMinutes: 15,
  },
  runDueWork: {
    id: 'run-due-work',
    summary:
      'Does scheduled work: ends expired approvals and acceptances, applies acceptances to versions, continues long index updates, starts runs of a changed policy, compacts counters, schedules refreshes of upstream metadata, and renews evidence before approvals by rules',
    access: {
      packages: ['GetItem', 'UpdateItem'],
      catalogue: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
      decisions: ['PutItem'],
      reviews: [
        'Query',
        'QueryIndex:by-refresh',
        'BatchGetItem',
        'GetItem',
        'PutItem',
        'UpdateItem',
        'DeleteItem',
        'ConditionCheckItem',
      ],
      queues: ['scan', 'facts'],
      settings: [
        'counterShards',
        'osvScanning',
        'collectFacts',
        'scanFailedFrom',
        'scanWarningFrom',
        'scanUnrated',
      ],
    },
    timeoutMinutes: 2,
  },
  scanSubmissions: {
    id: 'scan-submissions',
    summary: 'Scans new submissions',
    access: {
      scans: ['Query', 'PutItem', 'DeleteItem'],
      reviews: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
      decisions: ['PutItem'],
      settings: ['osvUrl', 'osvTimeoutMs', 'scanFailedFrom', 'scanWarningFrom', 'scanUnrated'],
    },
    accessWith: { upstreamSecretArn: upstreamAccounts },
    timeoutMinutes: 2,
  },
  signDecisions: {
    id: 'sign-decisions',
    summary: 'Signs each approval and rejection',
    access: {
      reviews: ['GetItem', 'BatchGetItem', 'PutItem'],
      decisions: ['GetItem'],
      events: ['Query', 'GetItem'],
    },
    accessWith: { signDecisions: { signingKey: ['Sign', 'GetPublicKey'] } },
    timeoutMinutes: 1,
  },
  submitRequested: {
    id: 'submit-requested',
    summary: 'Submits updates of approved versions, and packages that an install asked for',
    access: {
      packages: [
        'GetItem',
        'PutItem',
        'UpdateItem',
        'QueryIndex:by-ecosystem',
        'QueryIndex:by-ecosystem-and-status',
      ],
      catalogue: ['PutItem', 'UpdateItem'],
      scans: ['PutItem'],
      // An update becomes a security fix.
      reviews: ['GetItem', 'PutItem', 'UpdateItem'],
      decisions: ['PutItem'],
      idempotency: ['PutItem', 'UpdateItem', 'DeleteItem'],
      settings: [
        ...ecosystems.map(toOriginSetting),
        'originTimeoutMs',
        'ownPackages',
        'minimumAgeDays',
        'updatesPerDay',
        'submissionsPerDay',
        'fourEyes',
        'counterShards',
      ],
    },
    accessWith: { upstreamSecretArn: upstreamAccounts },
    timeoutMinutes: 2,
  },
  sequenceEvents: {
    id: 'sequence-events',
    summary: 'Assigns sequence numbers to events',
    access: { events: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'] },
    timeoutMinutes: 1,
  },
  rotateTokens: {
    id: 'rotate-tokens',
    summary:
      'Rotates a token: adds a new one, keeps the previous one for an overlap, and removes older ones',
    access: {
      tokens: ['GetSecretValue', 'DescribeSecret', 'PutSecretValue', 'UpdateSecretVersionStage'],
      settings: ['keptTokens'],
    },
    timeoutMinutes: 1,
  },
} as const satisfies Record<string, Worker>;
