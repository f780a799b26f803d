import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attestation } from '../../../shared/api/openapi/examples/attestation.ts';
import type { SignedDecision } from '../../../shared/domain/attestations/decision-statement.ts';
import {
  findNewestAttestation,
  findSigned,
  saveAttestation,
} from '../../../shared/storage/attestations/attestation-items.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const decide = (version: string, changes: Partial<SignedDecision> = {}): SignedDecision => ({
  ...{ ecosystem: 'npm', name: 'lodash', version, id: 'r-1', type: 'package.approved' },
  ...{ at: '2026-01-31T09:00:00.000Z', from: 'pending', to: 'approved' },
  ...{ by: 'ana', token_label: null, reason: null },
  ...changes,
});

/** The example, with another signature. */
const signAgain = () => ({
  ...attestation,
  signatures: [{ keyid: 'k', sig: randomBytes(71).toString('base64') }],
});

describe('the attestation of a decision', () => {
  it('is stored unchanged', async () => {
    await saveAttestation(decide('1.0.0'), attestation);

    const found = await findNewestAttestation(decide('1.0.0'));

    expect(found).toMatchObject({ id: 'r-1', to: 'approved', envelope: attestation });
  });

  it('keeps bytes of any text', async () => {
    const payload = Buffer.from('{"reason":"é \u{1f512}\\u2028 \\ud800"}').toString('base64');
    await saveAttestation(decide('1.1.0'), { ...attestation, payload });

    expect((await findNewestAttestation(decide('1.1.0')))?.envelope.payload).toBe(payload);
  });

  it('is the first one, if a decision is signed again', async () => {
    const first = signAgain();
    await saveAttestation(decide('2.0.0'), first);
    await saveAttestation(decide('2.0.0'), signAgain());

    expect((await findNewestAttestation(decide('2.0.0')))?.envelope).toEqual(first);
  });

  it('is found by the time of its decision, in whatever order decisions are signed', async () => {
    const later = decide('3.0.0', { id: 'a', at: '2026-02-01T00:00:00.000Z' });
    const earlier = decide('3.0.0', { id: 'b', at: '2026-01-01T00:00:00.000Z' });
    await saveAttestation(later, attestation);
    await saveAttestation(earlier, attestation);

    expect((await findNewestAttestation(decide('3.0.0')))?.id).toBe('a');
    expect(await findSigned([earlier, later, decide('3.0.0', { id: 'c' })])).toEqual(
      new Set(['a', 'b']),
    );
  });

  it('costs one write of one unit, and one read', async () => {
    const saved = await measure(() => saveAttestation(decide('4.0.0'), attestation));
    const found = await measure(() => findNewestAttestation(decide('4.0.0')));

    expect(saved).toMatchObject({ calls: 1, writeUnits: 1 });
    expect(found).toMatchObject({ calls: 1, readUnits: 1 });
  });
});
