import { toKey, type VersionId } from '../address/address.ts';
import type { Action } from './actions.ts';

/** What somebody typed into the form of a decision. */
export interface Draft {
  readonly reason: string;
  readonly end: string;
}

const drafts = new Map<string, Draft>();

const blank: Draft = { reason: '', end: '' };

/** Names the form for one version; without a version, the form for all that are selected. */
export const toDraftKey = (action: Action, id?: VersionId): string =>
  `${action} ${id ? toKey(id) : ''}`;

/** Returns what was typed into a form that was left before the decision was made. */
export const findDraft = (name: string): Draft => drafts.get(name) ?? blank;

export const saveDraft = (name: string, draft: Draft): void => {
  drafts.set(name, draft);
};

/** Forgets what was typed for a decision that is made. */
export const removeDraft = (name: string): void => {
  drafts.delete(name);
};
