import type { Template } from 'aws-cdk-lib/assertions';

/** A property of the stack's template. `why` completes the sentence "The stack …". */
export interface Property {
  readonly why: string;
  /** Throws if the template does not have the property. */
  readonly check: (template: Template) => void;
}

/** A resource with its logical id. */
export type Resource = ReturnType<Template['findResources']>[string] & { readonly id: string };

/** Returns the resources of a type. */
export const listResources = (template: Template, type: string): Resource[] =>
  Object.entries(template.findResources(type)).map(([id, resource]) => ({ ...resource, id }));

/** Returns the only resource of a type whose logical id has this prefix. */
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

/** Returns the prefix of a logical id for a construct's id: CDK keeps letters and digits only. */
export const toLogicalId = (id: string): string => id.replace(/[^A-Za-z0-9]/g, '');
