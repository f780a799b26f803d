import type { Template } from 'aws-cdk-lib/assertions';

/** Something that must hold of the stack's template; `why` completes "The stack …". */
export interface Property {
  readonly why: string;
  /** Throws where it does not hold. */
  readonly check: (template: Template) => void;
}

/** A resource by its logical id; what it holds is for the checks to look into. */
export type Resource = ReturnType<Template['findResources']>[string] & { readonly id: string };

/** The resources of a type. */
export const listResources = (template: Template, type: string): Resource[] =>
  Object.entries(template.findResources(type)).map(([id, resource]) => ({ ...resource, id }));

/** The one resource of a type whose logical id begins so. */
export const findResource = (template: Template, type: string, prefix: string): Resource => {
  const found = listResources(template, type).filter(({ id }) => id.startsWith(prefix));
  const [resource, ...others] = found;
  if (!resource || others.length > 0) throw new Error(`${found.length} of ${type} ${prefix}…`);
  return resource;
};

/** A statement of a role's inline policies. */
export interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

/** Returns the statements of a role's inline policies. */
export const statementsOf = ({ Properties }: Resource): Statement[] =>
  (Properties.Policies ?? []).flatMap(
    ({ PolicyDocument }: { PolicyDocument: { Statement: Statement[] } }) =>
      PolicyDocument.Statement,
  );

/** Returns the statements of all roles. */
export const listStatements = (template: Template): Statement[] =>
  listResources(template, 'AWS::IAM::Role').flatMap(statementsOf);

/** How a construct's id begins a logical id: CDK leaves out all but letters and digits. */
export const toLogicalId = (id: string): string => id.replace(/[^A-Za-z0-9]/g, '');
