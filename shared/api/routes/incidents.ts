/** Routes for incidents: recalls and the freeze. */
import type { Route } from '../route.ts';
import { FreezeRequest } from '../schemas/freeze.ts';
import { HeldRecallRequest, HeldRecallsQuery } from '../schemas/held-recall.ts';
import { NoQuery } from '../schemas/no-query.ts';
import { RecallsQuery } from '../schemas/recall.ts';

export const listRecalls = {
  id: 'list-recalls',
  method: 'GET',
  path: '/api/v1/recalls',
  summary: 'List recalls of approved versions, the newest first',
  access: { reviews: ['Query'] },
  query: RecallsQuery,
  success: { status: 200, answer: 'RecallPage', header: 'Link' },
  errors: [],
} as const satisfies Route;

export const listHeldRecalls = {
  id: 'list-held-recalls',
  method: 'GET',
  path: '/api/v1/held-recalls',
  summary: 'List records of malware that recall approved versions only after a decision',
  access: { reviews: ['Query'] },
  query: HeldRecallsQuery,
  success: { status: 200, answer: 'HeldRecallPage', header: 'Link' },
  errors: [],
} as const satisfies Route;

export const decideHeldRecall = {
  id: 'decide-held-recall',
  method: 'POST',
  path: '/api/v1/held-recalls/{id}',
  summary:
    'Recall the approved versions that a held record of malware names, or dismiss the record',
  scope: 'review',
  access: {
    tokens: ['GetSecretValue'],
    reviews: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    decisions: ['PutItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: ['requireTokens'],
  },
  query: NoQuery,
  body: { schema: HeldRecallRequest, optional: false },
  success: { status: 200, answer: 'HeldRecallDecision' },
  errors: ['held_recall_not_found', 'decision_conflict', 'write_contention', 'outcome_unknown'],
} as const satisfies Route;

export const freezeRegistry = {
  id: 'freeze-registry',
  method: 'POST',
  path: '/api/v1/freeze',
  summary: 'Freeze the registry: refuse versions published after a time',
  scope: 'review',
  access: {
    tokens: ['GetSecretValue'],
    reviews: ['GetItem', 'PutItem'],
    decisions: ['PutItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: ['requireTokens'],
  },
  query: NoQuery,
  body: { schema: FreezeRequest, optional: false },
  success: { status: 200, answer: 'FreezeStatus' },
  errors: ['write_contention', 'outcome_unknown'],
} as const satisfies Route;

export const liftFreeze = {
  id: 'lift-freeze',
  method: 'DELETE',
  path: '/api/v1/freeze',
  summary: 'Lift the freeze of the registry',
  scope: 'review',
  access: {
    tokens: ['GetSecretValue'],
    reviews: ['GetItem', 'PutItem', 'DeleteItem'],
    decisions: ['PutItem'],
    idempotency: ['PutItem', 'GetItem'],
    settings: ['requireTokens'],
  },
  query: NoQuery,
  success: { status: 200, answer: 'FreezeStatus' },
  errors: ['not_frozen', 'decision_conflict', 'write_contention', 'outcome_unknown'],
} as const satisfies Route;

export const showFreeze = {
  id: 'show-freeze',
  method: 'GET',
  path: '/api/v1/freeze',
  summary: 'Show whether the registry is frozen',
  access: { reviews: ['GetItem'] },
  query: NoQuery,
  success: { status: 200, answer: 'FreezeStatus' },
  errors: [],
} as const satisfies Route;
