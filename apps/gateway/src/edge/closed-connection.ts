import { BadRequestException } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Fastify would wait for the body of a client that has closed its connection, and its request would count as in flight without an end. */
export const isClosed = ({ raw }: FastifyRequest): boolean => raw.destroyed;

/** The client has disconnected and does not read this response. */
export const CONNECTION_CLOSED = new BadRequestException();
