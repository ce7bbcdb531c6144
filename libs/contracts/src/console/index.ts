export * from './identity';
export * from './organization';
export * from './observation';
export * from './reports';
export * from './vehicles';
export { EmailAddress, NewPassword } from './fields';
export { ConsoleError } from './error';
export { PERMISSIONS_OF, type Permission, type Role } from './roles';
export * from './capture';
