import type { Access } from './resources.ts';

/** A function that no request reaches: somebody, a schedule, a stream or a queue invokes it. Its id names its file and construct. */
export interface Worker {
  readonly id: string;
  readonly summary: string;
  readonly access: Access;
  readonly timeoutMinutes: number;
}

/** Every worker of the registry. */
export const workers = {
  auditCatalogue: {
    id: 'audit-catalogue',
    summary: 'Compares the catalogue with the packages it follows from, and mends it on request',
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
    },
    timeoutMinutes: 15,
  },
  forwardVersions: {
    id: 'forward-versions',
    summary: 'Puts each new version into the queues of what is done with it',
    access: { queues: ['scan'] },
    timeoutMinutes: 1,
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
      settings: ['osvUrl', 'osvTimeoutMs', 'rescanHours', 'scanFailedFrom', 'scanWarningFrom'],
    },
    timeoutMinutes: 15,
  },
  scanSubmissions: {
    id: 'scan-submissions',
    summary: 'Scans versions that were just submitted',
    access: {
      scans: ['Query', 'PutItem', 'DeleteItem'],
      settings: ['osvUrl', 'osvTimeoutMs', 'scanFailedFrom', 'scanWarningFrom'],
    },
    timeoutMinutes: 2,
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
