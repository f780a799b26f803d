import { expect, it } from 'vitest';
import { attestation } from '../../../shared/api/openapi/examples/attestation.ts';
import {
  findNewestAttestation,
  saveAttestation,
} from '../../../shared/storage/attestations/attestation-items.ts';
import { beginEachWith } from '../../support/begin-each-with.ts';
import { approved, fillRegistry, nothing, runCheck } from './reviewed-registry.ts';

beginEachWith(fillRegistry);

it('keeps attestations, which follow from nothing else', async () => {
  await saveAttestation(
    {
      ...{ ...approved, id: 'a', type: 'package.approved', at: '2026-01-31T09:00:00.000Z' },
      ...{ from: 'pending', to: 'approved', by: 'ana', token_label: null, reason: null },
    },
    attestation,
  );

  expect(await runCheck(true)).toMatchObject({ found: nothing, repaired: 0, unjudged: 0 });

  expect((await findNewestAttestation(approved))?.envelope).toEqual(attestation);
});
