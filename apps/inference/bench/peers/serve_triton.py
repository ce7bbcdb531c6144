"""Triton, as its PyPI package has it: the server with the Python backend, and onnxruntime in this process, a thread for each core."""

import json
import os
from collections.abc import Callable

import numpy as np
from photographs import OPERATIONS, PORT, THREADS, Photographs
from pytriton.model_config import ModelConfig, Tensor
from pytriton.triton import Triton, TritonConfig


def answers(operation: str) -> Callable:
    def infer(requests: list) -> list[dict[str, np.ndarray]]:
        texts = [json.dumps(photographs.measure(operation, request["photograph"].tobytes())) for request in requests]
        return [{"answer": np.array([text.encode()], dtype=np.bytes_)} for text in texts]

    return infer


photographs = Photographs()
ports = TritonConfig(
    http_address="127.0.0.1", http_port=PORT, grpc_port=int(os.environ["PEER_GRPC_PORT"]), allow_metrics=False, exit_on_error=True
)
with Triton(config=ports) as triton:
    for operation in OPERATIONS:
        triton.bind(
            model_name=operation,
            infer_func=[answers(operation) for _ in range(THREADS)],
            inputs=[Tensor(name="photograph", dtype=np.uint8, shape=(-1,))],
            outputs=[Tensor(name="answer", dtype=np.bytes_, shape=(1,))],
            config=ModelConfig(batching=False),
        )
    triton.serve()
