export const API_PREFIX = '/api/v1';
export const CONSOLE_PREFIX = '/console/api';
export const CAPTURE_PREFIX = '/capture/api';
