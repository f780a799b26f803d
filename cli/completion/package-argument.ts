import { Argument } from 'commander';

/** An argument that names packages. Completion asks the registry for their names. */
export class PackageArgument extends Argument {}
