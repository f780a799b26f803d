import { goTo, readAddress } from '../address/address.ts';
import { toKey } from '../address/version-id.ts';
import { focusRow } from '../parts/focus-row.ts';
import type { DecisionRequest } from './decision-requests.ts';

/** Opens the version of a cancelled request again. With several versions, the selection is still there. */
export const returnToVersion = ({ decisions: [only, ...others] }: DecisionRequest): void => {
  if (!only || others.length > 0) return;
  const address = readAddress();
  const { ecosystem, name, version } = only;
  if (address.id) goTo({ ...address, id: { ecosystem, name, version } }, { replace: true });
  focusRow(toKey(only));
};
