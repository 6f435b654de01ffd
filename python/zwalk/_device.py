"""Arrays on a GPU: those that other libraries pass, by DLPack or __cuda_array_interface__, and those that they get back."""
from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CPU, _CUDA, _CUDA_HOST, _CUDA_MANAGED = 1, 2, 3, 13  # DLPack's kinds of devices


def device_number(device: str | None) -> int | None:
    """-1 for 'cpu', n for 'cuda:n', 0 for 'cuda'; None: where the points are."""
    if device is None:
        return None
    if not isinstance(device, str):
        raise TypeError(f"device must be 'cpu', 'cuda', 'cuda:1' or the like, or None, not {type(device).__name__}")
    match = re.fullmatch(r"cpu|cuda(?::(\d{1,4}))?", device)
    if not match:
        raise _core.InputError(f"device must be 'cpu', 'cuda', 'cuda:1' or the like, or None, not {device!r}")
    return -1 if device == "cpu" else int(match[1] or 0)


def kind_of(x: Any) -> int:
    """DLPack's kind of the device that an array is on; 1 (the CPU) for what says nothing of one, 0 for what can't say it."""
    if isinstance(x, (np.ndarray, list, tuple)):
        return _CPU
    if hasattr(x, "__dlpack_device__"):
        try:
            return int(x.__dlpack_device__()[0])
        except Exception:  # whatever libraries raise of tensors without data, and the like: said where there is a name
            return 0
    return _CUDA if hasattr(x, "__cuda_array_interface__") else _CPU


def is_on_gpu(x: Any) -> bool:
    return kind_of(x) in (_CUDA, _CUDA_MANAGED)


class DeviceRows:
    """Points on a GPU, as another library has them: never looked at here, nor copied.

    Strides are in elements. `owner` keeps the memory.
    """

    ndim = 2

    def __init__(self, address: int, shape: tuple[int, int], strides: tuple[int, int], dtype: np.dtype[Any],
                 device: int | None, owner: Any) -> None:
        self.address, self.shape, self.strides, self.dtype = address, shape, strides, dtype
        self.device, self.owner = device, owner

    def __len__(self) -> int:
        return self.shape[0]

    def native(self) -> Any:
        kind = _core.DevicePoints32 if self.dtype.itemsize == 4 else _core.DevicePoints64
        return kind(self.address, *self.shape, *self.strides)


def device_rows(x: Any, name: str) -> DeviceRows:
    """Points on a GPU, checked. By DLPack, if there is a choice: it says the device, and orders streams."""
    if hasattr(x, "__dlpack__"):
        return _from_dlpack(x, name)
    return _from_interface(x.__cuda_array_interface__, x, name)


def _from_dlpack(x: Any, name: str) -> DeviceRows:
    # Stream 1 is CUDA's default one, in which the work is done: what is pending for x is waited for there.
    address, kind, device, shape, strides, code, bits, owner = _core.dlpack_parts(x.__dlpack__(stream=1))
    if kind not in (_CUDA, _CUDA_MANAGED):
        raise _core.InputError(f"{name} say that they are on a GPU, but their DLPack capsule is of device kind {kind}")
    return _checked(name, address, tuple(shape), tuple(strides), f"<f{bits // 8}" if code == 2 else f"DLPack type {code}",
                    device, owner)


def _from_interface(interface: dict[str, Any], x: Any, name: str) -> DeviceRows:
    """An array of numba and its like. It doesn't say its device."""
    if interface.get("mask") is not None:
        raise _core.InputError(f"{name} has masked values; leave those rows out")
    stream = interface.get("stream")
    if stream not in (None, 1):
        raise _core.InputError(f"{name} is being written in a CUDA stream of its own: synchronize that, and pass the array "
                               "without a stream")
    shape, type_ = tuple(interface["shape"]), interface["typestr"]
    address, _ = interface["data"]
    bytes_ = interface.get("strides")
    size = int(type_[2:]) if type_[1:2] == "f" and type_[2:].isdigit() else 0
    if bytes_ is None or not size:
        strides = (shape[1] if len(shape) == 2 else 1, 1)
    elif any(b % size for b in bytes_):
        raise _core.InputError(f"{name} has strides that are no multiples of its elements; copy it first")
    else:
        strides = tuple(b // size for b in bytes_)
    return _checked(name, address, shape, strides, type_, None, x)


def _checked(name: str, address: int, shape: tuple[int, ...], strides: tuple[int, ...], type_: str, device: int | None,
             owner: Any) -> DeviceRows:
    from ._points import wrong_dimensions

    if type_ not in ("<f4", "<f8"):
        raise TypeError(f"{name} is {type_} on a GPU; there float32 and float64 are worked on: convert it first")
    if len(shape) != 2 or len(strides) != 2:
        raise _core.InputError(wrong_dimensions(name, len(shape), 2))
    dtype = np.dtype(type_)
    if min(strides) < 0:
        raise _core.InputError(f"{name} has negative strides; copy it first")
    if address % dtype.itemsize or (not address and shape[0] * shape[1]):
        raise _core.InputError(f"{name} is at address {address:#x}, where no {dtype} can be")
    return DeviceRows(address, shape, (strides[0], strides[1]), dtype, device, owner)


class DeviceArray:
    """A result on a GPU: an array for CuPy, PyTorch, JAX or numba, such as ``torch.from_dlpack(a)`` or ``cupy.asarray(a)``.

    It owns its memory, which is given back in CUDA's default stream. The work that wrote it has ended.

    Attributes
    ----------
    shape : tuple of int
    dtype : numpy.dtype
    device : int
        Number of the GPU.
    """

    def __init__(self, held: Any) -> None:
        self._held = held
        self.shape: tuple[int, ...] = tuple(held.shape)
        self.dtype: np.dtype[Any] = np.dtype(held.type)
        self.device: int = held.device

    @property
    def ndim(self) -> int:
        """How many axes it has."""
        return len(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<zwalk.DeviceArray: {self.dtype}, shape {self.shape}, on cuda:{self.device}>"

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self._held.address, False), "strides": None,
                "version": 3, "stream": None}

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CUDA, self.device

    def __dlpack__(self, **options: Any) -> Any:
        # Nothing is pending in any stream.
        options.pop("stream", None)
        return self._held.dlpack().__dlpack__(**options)

    def __array__(self, *_: Any, **__: Any) -> NDArray[Any]:
        raise TypeError("the array is on a GPU: use torch.from_dlpack, cupy.asarray or the like, which can copy it to the host")


def release_gpu_memory(device: str = "cuda") -> None:
    """Gives back what the library keeps of a GPU's memory for its next call, for other libraries to have.

    Results that are there stay.

    Parameters
    ----------
    device : str
        'cuda', 'cuda:1', ...

    Returns
    -------
    None

    Raises
    ------
    InputError
        There is no such GPU, or the build is without CUDA.
    """
    number = device_number(device)
    if number is None or number < 0:
        raise _core.InputError(f"device must be 'cuda' or 'cuda:n', but is {device!r}")
    _core.cuda_release_memory(number)
