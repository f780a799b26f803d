/** The name of the service in its root document, its requests to other services, and its events. */
export const serviceName = 'package-registry';
