"""KServe's Python server with its V2 protocol: one process with as many threads as there are cores."""

import json

import numpy as np
from kserve import InferOutput, InferRequest, InferResponse, Model, ModelServer
from photographs import OPERATIONS, PORT, Photographs


class Tire(Model):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.ready = True

    async def predict(self, payload: InferRequest, headers: object = None, response_headers: object = None) -> InferResponse:
        figures = await photographs.measured(self.name, payload.inputs[0].as_numpy().tobytes())
        answer = InferOutput("answer", [1], "BYTES")
        answer.set_data_from_numpy(np.array([json.dumps(figures)], dtype=object), binary_data=False)
        return InferResponse(payload.id or self.name, self.name, [answer])


photographs = Photographs()
ModelServer(http_port=PORT, enable_grpc=False, workers=1).start([Tire(name) for name in OPERATIONS])
