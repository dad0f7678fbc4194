"""Options that several commands share."""

from typing import Annotated

import typer

Tenant = Annotated[str, typer.Argument(envvar="SLOWWAVE_TENANT", help="The tenant.", metavar="TENANT")]
TenantOption = Annotated[str, typer.Option("--tenant", "-t", envvar="SLOWWAVE_TENANT", help="The tenant.")]
StoreOption = Annotated[str, typer.Option("--store", "-s", help="The store.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Force = Annotated[bool, typer.Option("--force", help="Do it all the same.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Take the folder's texts over newer ones of dreams too.")]
