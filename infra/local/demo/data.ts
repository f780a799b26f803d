/** The demo data: package versions in the order of submission, with scans and upstream metadata of some, and projects that use them. */
import * as z from 'zod';
import { Ecosystem } from '../../../shared/api/schemas/ecosystem.ts';
import { Facts } from '../../../shared/api/schemas/facts.ts';
import { Vulnerability } from '../../../shared/api/schemas/scan.ts';
import { SnapshotRequest } from '../../../shared/api/schemas/snapshot.ts';
import { Submission } from '../../../shared/api/schemas/submission.ts';
import facts from './facts.json' with { type: 'json' };
import packages from './packages.json' with { type: 'json' };
import projects from './projects.json' with { type: 'json' };
import scans from './scans.json' with { type: 'json' };

const DemoPackage = z.strictObject({
  submission: Submission,
  decision: z
    .strictObject({
      to: z.enum(['approved', 'rejected']),
      by: z.string(),
      reason: z.string().optional(),
      expires_in_days: z.int().optional(),
    })
    .optional(),
  /** A question of a reviewer, 30 minutes after the submission. */
  question: z.strictObject({ by: z.string(), text: z.string() }).optional(),
  /** A record of malware, 45 minutes after the submission. */
  recall: z.strictObject({ record: z.string(), summary: z.string() }).optional(),
});
export type DemoPackage = z.output<typeof DemoPackage>;

const DemoScan = z.strictObject({
  id: z.strictObject({ ecosystem: Ecosystem, name: z.string(), version: z.string() }),
  tools: z.array(z.string()),
  vulnerabilities: z.array(Vulnerability),
});

/** What a version has for comparisons: fields of its npm record. It is older than trusted publishers, and runs no scripts. */
const DemoRelease = z.strictObject({
  dependencies: z.record(z.string(), z.string()),
  engines: z.record(z.string(), z.string()),
  unpackedSize: z.int(),
  fileCount: z.int(),
});

const DemoFacts = z.strictObject({
  id: z.strictObject({ ecosystem: Ecosystem, name: z.string(), version: z.string() }),
  facts: Facts.partial().required({ found: true }),
  /** The integrity of the file on npm, so that npm can install it through the gate. */
  integrity: z.string().optional(),
  release: DemoRelease.optional(),
  /** The version that npm published before, with which this one is compared. */
  earlier: z
    .strictObject({
      version: z.string(),
      published_at: z.iso.datetime(),
      integrity: z.string(),
      release: DemoRelease,
    })
    .optional(),
});
export type DemoFacts = z.output<typeof DemoFacts>;

const DemoProject = z.strictObject({ project: z.string(), ...SnapshotRequest.shape });

/** Returns the content of a JSON file. @throws {Error} naming the file and each wrong entry */
const parse = <T>(file: string, schema: z.ZodType<T>, content: unknown): T => {
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new Error(`${file} is wrong:\n${z.prettifyError(parsed.error)}`);
};

export const demoPackages = parse('packages.json', z.array(DemoPackage), packages);
export const demoFacts = parse('facts.json', z.array(DemoFacts), facts);
export const demoProjects = parse('projects.json', z.array(DemoProject), projects);
export const demoScans = parse('scans.json', z.array(DemoScan), scans);
