-- One row per build of the views: the state of the rows it read.
select fingerprint
from meta.view_build
