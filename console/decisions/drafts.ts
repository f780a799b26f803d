import { toKey, type VersionId } from '../address/version-id.ts';
import type { Action } from './actions.ts';

/** The text in a decision form that is not sent yet. */
export interface Draft {
  readonly reason: string;
  readonly end: string;
}

const drafts = new Map<string, Draft>();

const blank: Draft = { reason: '', end: '' };

/** Returns the key of a draft. Without a version, it is the draft for the selected versions. */
export const toDraftKey = (action: Action, id?: VersionId): string =>
  `${action} ${id ? toKey(id) : ''}`;

/** Returns the draft with a key; empty if there is none. */
export const findDraft = (name: string): Draft => drafts.get(name) ?? blank;

/** Saves a draft, so that the form has it when it opens again. */
export const saveDraft = (name: string, draft: Draft): void => {
  drafts.set(name, draft);
};

/** Removes the draft of a decision that is made. */
export const removeDraft = (name: string): void => {
  drafts.delete(name);
};
