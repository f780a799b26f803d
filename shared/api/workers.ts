import { ecosystems } from '../ecosystems/ecosystem.ts';
import { toOriginSetting } from './origin-setting.ts';
import type { Access } from './resources.ts';

/**
 * Function without an HTTP route: an operator, a schedule, a stream or a queue invokes it. Its ID names its file and
 * construct.
 */
export interface Worker {
  readonly id: string;
  readonly summary: string;
  readonly access: Access;
  readonly timeoutMinutes: number;
}

/** Workers of the registry, by name. */
export const workers = {
  applyPolicy: {
    id: 'apply-policy',
    summary: 'Decides by the rules of the policy on what needs no person',
    access: {
      packages: ['GetItem', 'UpdateItem', 'QueryIndex:by-ecosystem-and-status'],
      catalogue: ['PutItem', 'UpdateItem'],
      reviews: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      licenses: ['BatchGetItem'],
      decisions: ['PutItem'],
      settings: [
        'osvScanning',
        'collectFacts',
        'counterShards',
        'approvalDays',
        'blockingObjections',
        'requireApprovedLicense',
        'minimumAgeDays',
        'scanFailedFrom',
        'scanWarningFrom',
        'scanUnrated',
      ],
    },
    timeoutMinutes: 5,
  },
  checkIntegrity: {
    id: 'check-integrity',
    summary: 'Compares what follows from packages and records with them, and mends it on request',
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
        'DeleteItem',
        'ConditionCheckItem',
      ],
      decisions: ['Scan', 'Query', 'QueryIndex:by-time'],
      events: ['Query', 'BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
      settings: ['scanFailedFrom', 'scanWarningFrom', 'scanUnrated'],
    },
    timeoutMinutes: 15,
  },
  collectFacts: {
    id: 'collect-facts',
    summary: 'Asks the origins of versions what they say of them',
    access: {
      // The first upstream fetch pins the files of a version that was approved before.
      packages: ['UpdateItem'],
      reviews: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
      decisions: ['PutItem'],
      settings: [
        ...ecosystems.map(toOriginSetting),
        'originTimeoutMs',
        'factsHours',
        'scanFailedFrom',
        'scanWarningFrom',
        'scanUnrated',
      ],
    },
    timeoutMinutes: 2,
  },
  forwardVersions: {
    id: 'forward-versions',
    summary: 'Puts each new version into the queues of what is done with it',
    access: { queues: ['scan', 'facts'], settings: ['osvScanning', 'collectFacts'] },
    timeoutMinutes: 1,
  },
  indexVersions: {
    id: 'index-versions',
    summary:
      'Lists each version under the vulnerabilities that it has, has what is accepted hold for it, and lists approved ones of Maven under the POMs that they lean on',
    access: {
      packages: ['GetItem'],
      reviews: [
        'Query',
        'BatchGetItem',
        'PutItem',
        'UpdateItem',
        'DeleteItem',
        'ConditionCheckItem',
      ],
      decisions: ['PutItem'],
      settings: ['scanFailedFrom', 'scanWarningFrom', 'scanUnrated'],
    },
    timeoutMinutes: 15,
  },
  loadLicenses: {
    id: 'load-licenses',
    summary: 'Brings the licenses in line with SPDX and the policy, on deployment',
    access: { licenses: ['Query', 'PutItem', 'DeleteItem'] },
    timeoutMinutes: 5,
  },
  rescanPackages: {
    id: 'rescan-packages',
    summary: 'Scans again what could not be scanned, and every approved version in turn',
    access: {
      catalogue: ['Query', 'QueryIndex:by-status'],
      scans: ['GetItem', 'Query', 'PutItem', 'DeleteItem'],
      reviews: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
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
    timeoutMinutes: 15,
  },
  runDueWork: {
    id: 'run-due-work',
    summary:
      'Does what is due: returns approvals that ran out to pending, brings acceptances to versions, ends them, goes on with long listings, folds counters, and has origins asked again',
    access: {
      packages: ['GetItem', 'UpdateItem'],
      catalogue: ['Query', 'QueryIndex:by-status', 'PutItem', 'UpdateItem', 'DeleteItem'],
      decisions: ['PutItem'],
      reviews: [
        'Query',
        'BatchGetItem',
        'GetItem',
        'PutItem',
        'UpdateItem',
        'DeleteItem',
        'ConditionCheckItem',
      ],
      queues: ['facts'],
      settings: [
        'counterShards',
        'collectFacts',
        'factsHours',
        'scanFailedFrom',
        'scanWarningFrom',
        'scanUnrated',
      ],
    },
    timeoutMinutes: 2,
  },
  scanSubmissions: {
    id: 'scan-submissions',
    summary: 'Scans versions that were just submitted',
    access: {
      scans: ['Query', 'PutItem', 'DeleteItem'],
      reviews: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
      decisions: ['PutItem'],
      settings: ['osvUrl', 'osvTimeoutMs', 'scanFailedFrom', 'scanWarningFrom', 'scanUnrated'],
    },
    timeoutMinutes: 2,
  },
  sequenceEvents: {
    id: 'sequence-events',
    summary: 'Gives everything that happens its place in the one order of events',
    access: { events: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'] },
    timeoutMinutes: 1,
  },
  rotateTokens: {
    id: 'rotate-tokens',
    summary:
      'Puts a new token into the list, keeps the one before for an overlap, and drops older ones',
    access: {
      tokens: ['GetSecretValue', 'DescribeSecret', 'PutSecretValue', 'UpdateSecretVersionStage'],
      settings: ['keptTokens'],
    },
    timeoutMinutes: 1,
  },
} as const satisfies Record<string, Worker>;
