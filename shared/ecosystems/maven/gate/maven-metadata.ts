import { XMLBuilder } from 'fast-xml-parser';
import { compareMavenVersions } from '../compare-versions.ts';

/** An approved version and the time of its approval, as ISO 8601. */
interface Approved {
  readonly version: string;
  readonly approved_at: string | null;
}

const builder = new XMLBuilder({ format: true });

/** Formats an ISO 8601 time for Maven: `2026-11-22T09:30:00.000Z` becomes `20261122093000`. */
const formatTime = (time: string): string => time.replace(/\D/g, '').slice(0, 14);

/** Returns `maven-metadata.xml` with approved versions only. Equal versions give the same text. */
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
