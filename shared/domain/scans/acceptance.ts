import type { Ecosystem } from '../ecosystem.ts';

/** That one vulnerability is lived with until a moment: everywhere, or where a part of what names a version is given. */
export interface Acceptance {
  /** An id of the vulnerability, in upper case. */
  readonly id: string;
  /** Counts the acceptances of that id, from 1. */
  readonly number: number;
  readonly reason: string;
  /** ISO 8601. */
  readonly expires_at: string;
  readonly by: string | null;
  readonly token_label: string | null;
  /** ISO 8601. */
  readonly at: string;
  readonly ecosystem: Ecosystem | null;
  readonly name: string | null;
  readonly version: string | null;
}
