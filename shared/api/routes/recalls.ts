/** Routes of recalls, and of records of malware on hold. */
import type { Route } from '../route.ts';
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
