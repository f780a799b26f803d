import { expect, it } from 'vitest';
import {
  addEvent,
  addShown,
  listInForce,
  openLedger,
} from '../../../../cli/commands/export-vex/active-acceptances.ts';
import { approvalEvent } from '../../../../shared/api/openapi/examples/memory.ts';
import { acceptance as exampleAcceptance } from '../../../../shared/api/openapi/examples/scans.ts';
import type { Acceptance } from '../../../../shared/api/schemas/acceptance.ts';
import type { RegistryEvent } from '../../../../shared/api/schemas/event.ts';

const now = new Date('2027-01-01T00:00:00.000Z');
const later = (month: number): string => `2027-0${month}-01T00:00:00.000Z`;

const accepted = (number: number, more: Partial<RegistryEvent> = {}): RegistryEvent => ({
  ...approvalEvent,
  ...{ type: 'vulnerability.accepted', from: null, to: 'accepted', version: null },
  ...{ vulnerability: 'CVE-1', acceptance: String(number), expires_at: later(2), reason: 'x' },
  ...more,
});

const endOf = (number: number): RegistryEvent => ({
  ...accepted(number),
  ...{ type: 'acceptance.ended', from: 'accepted', to: 'withdrawn' },
});

const numbersOf = (events: readonly RegistryEvent[], shown: readonly Acceptance[] = []) => {
  const ledger = openLedger();
  for (const event of events) addEvent(ledger, event);
  addShown(ledger, shown);
  return listInForce(ledger, now).map(({ id, number }) => `${id} ${number}`);
};

it.each([
  ['has an acceptance', [accepted(1)], ['CVE-1 1']],
  ['leaves out an ended one', [accepted(1), endOf(1)], []],
  ['leaves out one whose end came first', [endOf(1), accepted(1)], []],
  ['leaves out an expired one', [accepted(1, { expires_at: '2026-12-31T00:00:00Z' })], []],
  [
    'has the longest one of a scope',
    [accepted(1, { expires_at: later(4) }), accepted(2, { expires_at: later(3) })],
    ['CVE-1 1'],
  ],
  ['has one for each scope', [accepted(1), accepted(2, { name: null })], ['CVE-1 1', 'CVE-1 2']],
  ['ignores other events', [approvalEvent], []],
])('%s', (_, events, expected) => {
  expect(numbersOf(events)).toEqual(expected);
});

it('knows from the registry what the events do not have yet', () => {
  const { affects: _, affects_at_least: __, ...shown } = exampleAcceptance;
  const ended = { how: 'withdrawn', at: later(1), by: null, reason: null } as const;

  const numbers = numbersOf(
    [accepted(1), accepted(2, { version: '1.0.0' }), accepted(3, { version: '2.0.0' })],
    [
      { ...shown, id: 'CVE-1', number: 2, ended },
      { ...shown, id: 'CVE-1', number: 4, version: '3.0.0' },
    ],
  );

  expect(numbers).toEqual(['CVE-1 1', 'CVE-1 3', 'CVE-1 4']);
});

it('names no person to other organisations', () => {
  const { affects: _, affects_at_least: __, ...shown } = exampleAcceptance;
  const ledger = openLedger();
  addEvent(ledger, accepted(1, { by: 'ana@example.com', token_label: 'ana' }));
  addShown(ledger, [{ ...shown, id: 'CVE-1', number: 2, by: 'ana', version: '3.0.0' }]);

  const inForce = listInForce(ledger, now);

  expect(inForce).toHaveLength(2);
  for (const one of inForce) expect(one).not.toHaveProperty('by');
});
