import { ComponentType, LifecyclePhase } from '@cyclonedx/cyclonedx-library/Enums';
import {
  Bom,
  Component,
  ComponentRepository,
  LifecycleRepository,
  Metadata,
  Tools,
} from '@cyclonedx/cyclonedx-library/Models';
import { JSON as CycloneDxJson, JsonSerializer } from '@cyclonedx/cyclonedx-library/Serialize';
import { Spec1dot6 } from '@cyclonedx/cyclonedx-library/Spec';
import packageJson from '../../../package.json' with { type: 'json' };
import { isObject, type JsonObject } from '../../../shared/util/json.ts';
import { serviceName } from '../../../shared/util/service-name.ts';
import { formatJson } from '../../output/json.ts';
import { toComponent } from './component.ts';
import type { SbomVersion } from './sbom-version.ts';

/** The project of an SBOM. */
export interface SbomProject {
  readonly project: string;
  readonly ref: string;
}

const serializer = new JsonSerializer(new CycloneDxJson.Normalize.Factory(Spec1dot6));

/**
 * Removes the dependencies of components that nobody knows. CycloneDX reads an entry without dependencies as a component
 * that needs nothing.
 */
const keepKnownDependencies = (bom: JsonObject, root: string): JsonObject => {
  const listed = Array.isArray(bom['dependencies']) ? bom['dependencies'] : [];
  const known = listed.filter(
    (one) => isObject(one) && (one['ref'] === root || Array.isArray(one['dependsOn'])),
  );
  return { ...bom, dependencies: known };
};

const makeRoot = ({ project, ref }: SbomProject, direct: readonly Component[]): Component => {
  const root = new Component(ComponentType.Application, project, {
    version: ref,
    bomRef: `project:${project}@${ref}`,
  });
  for (const component of direct) root.dependencies.add(component.bomRef);
  return root;
};

/** What an SBOM says besides its components. */
interface SbomTerms {
  readonly now: Date;
  /** `urn:uuid:` and a UUID. */
  readonly serialNumber: string;
}

/**
 * Writes the versions of a project as CycloneDX 1.6. The project depends on its direct versions. The document says nothing
 * about the dependencies of other components, which a snapshot does not have.
 */
export const writeSbom = (
  project: SbomProject,
  versions: readonly SbomVersion[],
  { now, serialNumber }: SbomTerms,
): string => {
  const components = versions.map((version) => ({
    component: toComponent(version),
    isDirect: version.direct === true,
  }));
  const direct = components.flatMap(({ component, isDirect }) => (isDirect ? component : []));
  const root = makeRoot(project, direct);
  const tool = new Component(ComponentType.Application, serviceName, {
    version: packageJson.version,
  });
  const bom = new Bom({
    serialNumber,
    metadata: new Metadata({
      timestamp: now,
      lifecycles: new LifecycleRepository([LifecyclePhase.Build]),
      tools: new Tools({ components: new ComponentRepository([tool]) }),
      component: root,
    }),
    components: new ComponentRepository(components.map(({ component }) => component)),
  });
  const written: JsonObject = JSON.parse(serializer.serialize(bom, { sortLists: true }));
  return `${formatJson(keepKnownDependencies(written, root.bomRef.value ?? ''), 2)}\n`;
};
