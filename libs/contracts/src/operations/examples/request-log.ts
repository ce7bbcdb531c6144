import type { LoggedRequests } from '../../api';

export const loggedRequestsExample: LoggedRequests = {
  requests: [
    {
      at: '2026-11-21T04:05:06.789Z',
      key_id: '01978a34-1000-7000-8000-000000000004',
      method: 'POST',
      path: '/api/v1/reports',
      status: 422,
      duration_ms: 3,
      request_id: '0c4d8b86-6f0e-4d0e-9d3c-6a4b5f1f7c11',
    },
  ],
  next_cursor: '4711.01978a34-5c00-7000-8000-000000000001',
};
