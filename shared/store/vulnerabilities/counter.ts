import type { Status } from '../../domain/status.ts';
import { getItem } from '../read.ts';
import { defineTable } from '../table.ts';
import { toCounterKey } from './keys.ts';

/** How many versions there are of something: of all, and of those that are approved. */
export interface VersionCount {
  readonly all: number;
  readonly approved: number;
}

/** What is told of a vulnerability, whichever version has it: by the version whose scans tell most. */
export interface Telling {
  /** The version's key. */
  readonly by: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly epss: number | null;
}

/** What is counted of a vulnerability under one of its ids. */
export interface VulnerabilityCounter {
  readonly v: string;
  readonly k: string;
  /** As a scan spells it. */
  readonly id: string;
  /** Raised with every change. */
  readonly changes: number;
  /** How many versions have it, by where they stand. */
  readonly statuses: Readonly<Record<Status, number>>;
  /** How many versions it harms, by `<severity>/<CVSS score>`: the worst is exact when versions come and go. */
  readonly ratings: Readonly<Record<string, VersionCount>>;
  /** How many versions it harms that show it under this id. */
  readonly preferred: VersionCount;
  /** How many versions it harms whose scans say that somebody has seen it exploited. */
  readonly exploited: VersionCount;
  readonly telling: Telling;
}

export const countersTable = defineTable<VulnerabilityCounter>('reviews');

/** What is counted of a vulnerability, under any of its ids; undefined where no version has it. */
export const readVulnerabilityCounter = (id: string): Promise<VulnerabilityCounter | undefined> =>
  getItem(countersTable, toCounterKey(id));
