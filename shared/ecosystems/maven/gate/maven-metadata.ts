import { XMLBuilder } from 'fast-xml-parser';
import { compareMavenVersions } from '../compare-versions.ts';

/** An approved version, and when it was approved, ISO 8601. */
interface Approved {
  readonly version: string;
  readonly approved_at: string | null;
}

const builder = new XMLBuilder({ format: true });

/** `2026-11-22T09:30:00.000Z` as Maven writes it: `20261122093000`. */
const formatTime = (time: string): string => time.replace(/\D/g, '').slice(0, 14);

/** What Maven is told of an artifact, of its approved versions alone: the same text for the same versions. */
export const makeMetadata = (name: string, approved: readonly Approved[]): string => {
  const [groupId, artifactId] = name.split(':');
  const versions = approved.map(({ version }) => version).sort(compareMavenVersions);
  const latest = versions.at(-1);
  const last = approved
    .map(({ approved_at }) => approved_at ?? '')
    .sort()
    .at(-1);
  const versioning = {
    ...{ latest, release: latest, versions: { version: versions } },
    lastUpdated: formatTime(last ?? ''),
  };
  const metadata = builder.build({ metadata: { groupId, artifactId, versioning } });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${metadata}`;
};
